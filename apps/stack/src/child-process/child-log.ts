import { type FileHandle, open, readFile, stat, truncate } from 'node:fs/promises';

const MAX_BYTES = 10 * 1024 * 1024;

/** The file that a child process writes its output to: unlike a pipe it outlives us. */
export interface ChildLog {
  readonly file: FileHandle;
  /** The output since it was opened, by lines. */
  lines(): Promise<string[]>;
}

/** Opens a log (0600) to append to it; one of more than 10 MB is emptied first. */
export async function openChildLog(path: string): Promise<ChildLog> {
  let start = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (start > MAX_BYTES) {
    await truncate(path, 0);
    start = 0;
  }
  return {
    file: await open(path, 'a', 0o600),
    async lines() {
      const bytes = await readFile(path).catch(() => Buffer.alloc(0));
      return bytes.subarray(start).toString('utf8').trim().split('\n');
    },
  };
}
