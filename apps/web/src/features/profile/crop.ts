/** The visible square of a picture. */
export interface Crop {
  /** 1 shows as much as fits, 2 half of that. */
  readonly zoom: number;
  /** The position of the square from the left (0) to the right edge (1), and from top to bottom. */
  readonly across: number;
  readonly down: number;
}

export const MAX_ZOOM = 4;
export const wholeCrop: Crop = { zoom: 1, across: 0.5, down: 0.5 };

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The square in pixels of the picture, and how far it can move. */
export function cropSquare({ width, height }: Size, { zoom, across, down }: Crop) {
  const side = Math.min(width, height) / zoom;
  const free = { across: width - side, down: height - side };
  return { side, left: free.across * across, top: free.down * down, free };
}

const within = (share: number) => Math.min(1, Math.max(0, share));

/** The crop after dragging the picture, in parts of the square's side. */
export function dragged(size: Size, crop: Crop, byX: number, byY: number): Crop {
  const { side, free } = cropSquare(size, crop);
  const moved = (share: number, by: number, room: number) =>
    room === 0 ? share : within(share - (by * side) / room);
  return {
    ...crop,
    across: moved(crop.across, byX, free.across),
    down: moved(crop.down, byY, free.down),
  };
}
