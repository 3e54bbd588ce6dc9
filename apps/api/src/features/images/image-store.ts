import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Where the bytes of pictures are kept, by names that say their content. */
export interface ImageStore {
  /** Keeps a picture; the same one may be put again. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Null for a picture that is not there. */
  get(name: string): Promise<Buffer | null>;
  /** Does nothing for a picture that is not there. */
  remove(name: string): Promise<void>;
  /** Removes what processes that were killed while they put a picture left behind before a time. */
  removeUnfinished(before: Date): Promise<void>;
}

/** Keeps pictures as files of one folder, which is made when the first is put. */
export function createDiskStore(folder: string): ImageStore {
  // Under its name there is never half a picture.
  const unfinishedFolder = path.join(folder, 'unfinished');
  return {
    async put(name, bytes) {
      await mkdir(unfinishedFolder, { recursive: true, mode: 0o700 });
      const unfinished = path.join(unfinishedFolder, randomUUID());
      try {
        await writeFile(unfinished, bytes, { mode: 0o600, flush: true });
        await rename(unfinished, path.join(folder, name));
      } finally {
        await rm(unfinished, { force: true });
      }
    },
    get: (name) =>
      readFile(path.join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      }),
    remove: (name) => rm(path.join(folder, name), { force: true }),
    async removeUnfinished(before) {
      for (const name of await readdir(unfinishedFolder).catch(() => [])) {
        const file = path.join(unfinishedFolder, name);
        const found = await stat(file).catch(() => null);
        if (found && found.mtime < before) await rm(file, { force: true });
      }
    },
  };
}
