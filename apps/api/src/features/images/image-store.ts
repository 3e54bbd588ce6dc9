import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A picture is named by the SHA-256 of its bytes. */
export const nameOf = (bytes: Uint8Array): string =>
  `${createHash('sha256').update(bytes).digest('hex')}.webp`;

/** Storage for the bytes of pictures, by their names. */
export interface ImageStore {
  /** Stores a picture; repeatable. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Null for a missing picture. */
  get(name: string): Promise<Buffer | null>;
  /** Does nothing for a missing picture. */
  remove(name: string): Promise<void>;
  /** Removes remains of uploads by killed processes from before a time. */
  removeUnfinished(before: Date): Promise<void>;
}

/** Stores pictures as files of one folder, which is created on first use. */
export function createDiskStore(folder: string): ImageStore {
  // A partial picture never has its final name.
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
