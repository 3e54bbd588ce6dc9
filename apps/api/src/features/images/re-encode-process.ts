import { buffer } from 'node:stream/consumers';
import sharp, { type Sharp } from 'sharp';
import { exitCodes } from './exit-codes.ts';
import { onlyPixels } from './png-chunks.ts';

/** An interlaced PNG comes in seven passes, so all of it is in memory. */
const INTERLACED_MAX_BYTES = 64_000_000;

/**
 * A process for one picture: reads it from stdin and writes it to stdout as a WebP, upright, with nothing but
 * its pixels. A decoder that a hostile file crashes affects nothing else. Arguments: maximum number of pixels
 * of the input, width and height in pixels, and how it fits them.
 */
const [maxPixels, widthPx, heightPx] = process.argv.slice(2, 5).map(Number);
const fit = process.argv[5] === 'inside' ? 'inside' : 'cover';

// Whatever the file's type claims: no other decoder can run.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'],
});
sharp.cache(false);
sharp.concurrency(1);

function exitCodeOf(error: unknown): number {
  const { message } = error as Error;
  if (/unsupported image format/u.test(message)) return exitCodes.unsupported;
  return /pixel limit/u.test(message) ? exitCodes.tooManyPixels : exitCodes.unreadable;
}

async function assertFits(picture: Sharp): Promise<void> {
  const { format, isProgressive, width, height, channels, depth } = await picture.metadata();
  const bytes = width * height * channels * (depth === 'ushort' ? 2 : 1);
  const isTooLarge = format === 'png' && isProgressive && bytes > INTERLACED_MAX_BYTES;
  if (isTooLarge) throw new Error('an interlaced picture exceeds the pixel limit');
}

try {
  const upload = sharp(onlyPixels(await buffer(process.stdin)), {
    limitInputPixels: maxPixels,
    // The first picture of an animation.
    pages: 1,
    failOn: 'warning',
  });
  await assertFits(upload);
  const picture = await upload
    .autoOrient()
    .resize(widthPx, heightPx, { fit, withoutEnlargement: fit === 'inside' })
    .webp({ quality: 82 })
    .toBuffer();
  process.stdout.write(picture);
} catch (error) {
  process.exitCode = exitCodeOf(error);
}
