import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Text files; HTML is not among them, because the server completes it (see pages.json). */
const COMPRESSED = /\.(?:css|js|json|svg|webmanifest|wasm)$/u;
/** Below this a compressed answer saves no packet. */
const MIN_BYTES = 1_024;
/** Above this size the best compression takes many times as long and saves a twentieth of the bytes. */
const LARGE_BYTES = 2 ** 20;

/** After the build: a .br and a .gz beside every text file, so that the server never compresses them. */
export function precompress(): Plugin {
  let outDir = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      outDir = path.resolve(config.root, config.build.outDir);
    },
    async writeBundle() {
      const names = await readdir(outDir, { recursive: true });
      await Promise.all(
        names
          .filter((name) => COMPRESSED.test(name) && !name.startsWith('.vite'))
          .map((name) => compressFile(path.join(outDir, name))),
      );
    },
  };
}

async function compressFile(file: string): Promise<void> {
  if ((await stat(file)).size < MIN_BYTES) return;
  const content = await readFile(file);
  const params = {
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    [constants.BROTLI_PARAM_QUALITY]:
      content.length > LARGE_BYTES ? 9 : constants.BROTLI_MAX_QUALITY,
  };
  await Promise.all([
    compressBrotli(content, { params }).then((bytes) => writeFile(`${file}.br`, bytes)),
    compressGzip(content, { level: 9 }).then((bytes) => writeFile(`${file}.gz`, bytes)),
  ]);
}
