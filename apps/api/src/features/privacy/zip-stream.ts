import { setImmediate as nextTurn } from 'node:timers/promises';
import { Zip, ZipDeflate } from 'fflate';
import { fewAtOnce } from '../../platform/batch/index.ts';

/** Bytes packed at once: some milliseconds of this process's time. */
const PACKED_AT_ONCE_BYTES = 64 * 1024;

/** Of all archives, one packs in a turn of the process: many at once would make the turns of others long. */
const inTurn = fewAtOnce<'all'>(1);

/** A file of an archive, produced piece by piece. */
export interface ArchivedFile {
  readonly name: string;
  readonly pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
}

/**
 * Packs files into a zip archive. The next piece is read when the bytes of the previous one were taken, so
 * that at most one piece is in memory. Other work of the process continues, however long a piece is.
 */
export async function* zipStream(files: AsyncIterable<ArchivedFile>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    if (bytes.length > 0) ready.push(bytes);
  });
  for await (const { name, pieces } of files) {
    const file = new ZipDeflate(name);
    zip.add(file);
    for await (const piece of pieces) {
      const bytes = typeof piece === 'string' ? encoder.encode(piece) : piece;
      for (let start = 0; start < bytes.length; start += PACKED_AT_ONCE_BYTES) {
        await inTurn('all', async () => {
          file.push(bytes.subarray(start, start + PACKED_AT_ONCE_BYTES));
          await nextTurn();
        });
        yield* ready.splice(0);
      }
    }
    file.push(new Uint8Array(), true);
  }
  zip.end();
  yield* ready;
}
