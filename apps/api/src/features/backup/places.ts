import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Env } from '../../platform/env/index.ts';
import { bucketOf } from '../../platform/object-storage/index.ts';
import { isArchive } from './names.ts';
import type { Place } from './place.ts';
import { createS3Place } from './s3-place.ts';

const UNFINISHED = '.unfinished';
const S3_ADDRESS = /^s3:\/\/(?<bucket>[^/]+)\/?(?<folder>.*?)\/?$/u;

/** Accepts a folder, or `s3://BUCKET/FOLDER` with the account of S3_ENDPOINT. */
export function createPlace(address: string, env: Env): Place {
  const { bucket, folder = '' } = S3_ADDRESS.exec(address)?.groups ?? {};
  if (bucket === undefined) return createFolder(path.resolve(address));
  const options = bucketOf(env, bucket);
  if (!options) {
    throw new Error(`${address}: needs S3_ENDPOINT, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.`);
  }
  return createS3Place(options, folder === '' ? '' : `${folder}/`);
}

/** The place of a file, and its name there. */
export function splitFile(file: string, env: Env) {
  const at = file.lastIndexOf('/') + 1;
  return { place: createPlace(file.slice(0, at) || '.', env), name: file.slice(at) };
}

function createFolder(folder: string): Place {
  return {
    about: `${folder}/`,
    async write(name, bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = path.join(folder, name);
      const unfinished = file + UNFINISHED;
      const handle = await open(unfinished, 'w', 0o600);
      try {
        for await (const chunk of bytes) await handle.writeFile(chunk);
        await handle.sync();
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      } finally {
        await handle.close();
      }
      await rename(unfinished, file);
      const parent = await open(folder, 'r');
      await parent.sync().finally(() => parent.close());
    },
    async writeText(name, content) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const draft = path.join(folder, `${name}.${randomUUID()}`);
      try {
        await writeFile(draft, content, { mode: 0o600, flush: true });
        await rename(draft, path.join(folder, name));
      } finally {
        await rm(draft, { force: true });
      }
    },
    async read(name) {
      const file = path.join(folder, name);
      const isThere = await stat(file).then(
        (found) => found.isFile(),
        () => false,
      );
      return isThere ? createReadStream(file) : null;
    },
    async list() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      return names.filter((name) => !name.endsWith(UNFINISHED));
    },
    remove: (name) => rm(path.join(folder, name), { force: true }),
    async removeUnfinished() {
      for (const name of await readdir(folder).catch(() => [])) {
        const isOurs = name.endsWith(UNFINISHED) && isArchive(name.slice(0, -UNFINISHED.length));
        if (isOurs) await rm(path.join(folder, name), { force: true });
      }
    },
  };
}

/** A small file of a place, as text; null for a missing one. */
export async function readText(place: Place, name: string): Promise<string | null> {
  const bytes = await place.read(name);
  return bytes && text(bytes);
}
