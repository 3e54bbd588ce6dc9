import { type FileHandle, open, readFile, stat, truncate } from 'node:fs/promises';

const MAX_BYTES = 10 * 1024 * 1024;
/** A child can be made to write a hundred megabytes a second. */
const LOOK_EVERY_MS = 500;

/** The file that a child process writes its output to: unlike a pipe it outlives us. */
export interface ChildLog {
  readonly file: FileHandle;
  /** The output since it was opened, by lines. */
  lines(): Promise<string[]>;
}

const sizeOf = async (path: string) => (await stat(path).catch(() => undefined))?.size ?? 0;

/** Opens a log (0600) to append to it; one of more than 10 MB is emptied first. */
export async function openChildLog(path: string): Promise<ChildLog> {
  if ((await sizeOf(path)) > MAX_BYTES) await truncate(path, 0);
  const start = await sizeOf(path);
  return {
    file: await open(path, 'a', 0o600),
    async lines() {
      const bytes = await readFile(path).catch(() => Buffer.alloc(0));
      return bytes.subarray(start).toString('utf8').trim().split('\n');
    },
  };
}

/**
 * Empties a log while its child runs, whoever started that, whenever it is above 10 MB: the child appends, so it goes
 * on at the beginning. Returns a function that stops it.
 */
export function keepLogShort(path: string): () => void {
  const empty = async () => {
    if ((await sizeOf(path)) > MAX_BYTES) await truncate(path, 0);
  };
  // A log that cannot be emptied now is looked at again.
  const looks = setInterval(() => void empty().catch(() => undefined), LOOK_EVERY_MS).unref();
  return () => clearInterval(looks);
}
