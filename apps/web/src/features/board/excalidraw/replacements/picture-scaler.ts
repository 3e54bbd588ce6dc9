/**
 * In place of the two libraries with which Excalidraw scales pictures (see build/excalidraw.ts): the
 * browser's own canvas does.
 */
interface PictureScaler {
  /** A picture with a longer side of at most `max` px. */
  readonly toBlob: (picture: Blob, limit: { readonly max: number }) => Promise<Blob>;
}

function pictureScaler(): PictureScaler {
  return { toBlob: async (picture, { max }) => scaledDown(picture, max) };
}

const QUALITY = 0.9;

/** The picture if its longer side is at most `maxPx`, else a smaller one. Rejects what is no picture. */
export async function scaledDown(picture: Blob, maxPx: number): Promise<Blob> {
  const bitmap = await createImageBitmap(picture);
  const scale = maxPx / Math.max(bitmap.width, bitmap.height);
  if (scale >= 1) return picture;
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  );
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.convertToBlob({ type: picture.type, quality: QUALITY });
}

// biome-ignore lint/style/noDefaultExport: it is how the libraries export
export { pictureScaler as default };
