import sharp, { type Sharp } from 'sharp';

/** A picture of one colour, ready to be encoded. */
export function plain(width: number, height: number, colour = '#17483a'): Sharp {
  return sharp({ create: { width, height, channels: 3, background: colour } });
}

let lastColour = 0;

/** A small JPEG that differs from all before. */
export function newJpeg(): Promise<Buffer> {
  lastColour += 9;
  return plain(40, 30, `#${lastColour.toString(16).padStart(6, '0')}`)
    .jpeg()
    .toBuffer();
}
