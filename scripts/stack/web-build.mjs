import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { apiNode } from './node-version.mjs';
import { cache, root } from './places.mjs';
import { keepLog, run } from './run.mjs';
import { StartError, step } from './terminal.mjs';

const SOURCES = ['apps/web', 'packages/contract', 'package-lock.json'];
const NOT_SOURCES = new Set(['node_modules', 'dist', '.cache']);
const TEST = /\.test\.tsx?$/;

/** Builds the pages unless they are up to date. */
export async function buildWeb() {
  const stamp = join(cache, 'web-build.txt');
  const sources = await hashSources(root, SOURCES);
  const wanted = `${sources} ${await hashOfBuild()}`;
  if ((await readFile(stamp, 'utf8').catch(() => '')) === wanted) {
    return;
  }
  await step('Building the pages', viteBuild);
  await mkdir(cache, { recursive: true });
  await writeFile(stamp, `${sources} ${await hashOfBuild()}`);
}

/** Vite's manifest names every file by its content; a build that was interrupted has none. */
async function hashOfBuild() {
  const manifest = join(root, 'apps/web/dist/.vite/manifest.json');
  return readFile(manifest).then(
    (bytes) => createHash('sha256').update(bytes).digest('hex'),
    () => 'none',
  );
}

async function viteBuild() {
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  try {
    await run(apiNode(), [vite, 'build', 'apps/web', '--logLevel', 'warn'], {
      cwd: root,
      // Of a shell or test run with another one, React's slow development build would be served.
      env: { ...process.env, NODE_ENV: 'production' },
    });
  } catch (error) {
    const log = await keepLog('web-build.log', error);
    throw new StartError(`The pages could not be built: see ${log}.`);
  }
}

/** One hash over the names and contents of all source files below these paths. */
export async function hashSources(folder, paths) {
  const files = [];
  for (const path of paths) {
    files.push(...(await listFiles(join(folder, path))));
  }
  const hash = createHash('sha256');
  for (const file of files.sort()) {
    hash
      .update(`${relative(folder, file)}\0`)
      .update(await readFile(file))
      .update('\0');
  }
  return hash.digest('hex');
}

async function listFiles(path) {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) {
    return [path];
  }
  const lists = await Promise.all(
    entries
      .filter(({ name }) => !NOT_SOURCES.has(name) && !TEST.test(name))
      .map((entry) => {
        const child = join(path, entry.name);
        return entry.isDirectory() ? listFiles(child) : entry.isFile() ? [child] : [];
      }),
  );
  return lists.flat();
}
