const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Length and type before the data of a chunk, and the checksum after it. */
const AROUND_DATA_BYTES = 12;
/** Chunks for the pixels, their colours and their orientation, each once. */
const KEPT_ONCE = ['IHDR', 'PLTE', 'tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'eXIf', 'IEND'];

/**
 * A PNG without texts and repeated chunks: each may be compressed a thousandfold, and libpng reads them all into
 * memory. Another file, and what follows a broken chunk, stay as they are.
 */
export function onlyPixels(file: Buffer): Buffer {
  if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return file;
  const kept: Buffer[] = [SIGNATURE];
  const due = new Set(KEPT_ONCE);
  let at = SIGNATURE.length;
  while (at + AROUND_DATA_BYTES <= file.length) {
    const end = at + AROUND_DATA_BYTES + file.readUInt32BE(at);
    if (end > file.length) break;
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT' || due.delete(type)) kept.push(file.subarray(at, end));
    at = end;
  }
  kept.push(file.subarray(at));
  return Buffer.concat(kept);
}
