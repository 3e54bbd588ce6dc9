import { existsSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cache, root } from './places.mjs';
import { keepLog, run } from './run.mjs';
import { StartError, step } from './terminal.mjs';

const LOOK_EVERY_MS = 200;
const installPidFile = join(cache, 'npm-ci.pid');

/**
 * Installs the dependencies unless exactly those of package-lock.json are there already.
 * npm writes node_modules/.package-lock.json as the last step of an install: an install that was
 * interrupted has none, or one that differs from package-lock.json, and is done again.
 */
export async function installDependencies() {
  await waitForOtherInstall(installPidFile);
  const reason = await whyInstall(root);
  if (reason === undefined) {
    return;
  }
  await step(`Installing the dependencies (${reason})`, (progress) => npmCi(progress));
}

/** Concurrent installs corrupt each other; one continues after the start that ran it was killed. */
export async function waitForOtherInstall(pidFile) {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
  if (pid > 0 && (await isNpm(pid))) {
    await step(`Waiting for an install that runs already (process ${pid})`, async () => {
      while (await isNpm(pid)) {
        await delay(LOOK_EVERY_MS);
      }
    });
  }
  await rm(pidFile, { force: true });
}

/**
 * Whether a process is npm: its number may have been given to another program, and "npm" may stand
 * anywhere in a path. npm is a script that `env` starts with Node.js, and that changes its title to "npm"
 * and its arguments.
 */
async function isNpm(pid) {
  const words =
    process.platform === 'linux'
      ? (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
      : (await run('ps', ['-o', 'command=', '-p', String(pid)]).catch(() => ['']))[0].split(' ');
  const [program = '', script = ''] = basename(words[0] ?? '') === 'env' ? words.slice(1) : words;
  return /^npm( |$)/.test(program) || /^npm(-cli\.js)?$/.test(basename(script));
}

/** Why `npm ci` must run in this folder, or undefined when everything is there. */
export async function whyInstall(folder) {
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) {
    return 'first start';
  }
  const installed = await readPackages(join(modules, '.package-lock.json'));
  if (installed === undefined) {
    return 'an earlier install was not finished';
  }
  const locked = await readPackages(join(folder, 'package-lock.json'));
  if (locked === undefined) {
    throw new StartError(
      'package-lock.json is missing or damaged: restore it with "git checkout package-lock.json".',
    );
  }
  if (!sameVersions(locked, installed)) {
    return 'package-lock.json has changed';
  }
  const gone = Object.keys(installed.packages).some(
    (path) => !existsSync(join(folder, path, 'package.json')),
  );
  return gone ? 'an earlier install was damaged' : undefined;
}

async function readPackages(path) {
  try {
    const { packages } = JSON.parse(await readFile(path, 'utf8'));
    const { '': project, ...others } = packages;
    return { packages: others, optional: Object.keys(project?.optionalDependencies ?? {}) };
  } catch {
    return undefined;
  }
}

/**
 * Optional packages are for other platforms, as a rule, and need not be there. Those of the project
 * itself (PostgreSQL, Node.js) must be when they are for this one: npm does not report when it could
 * not get an optional package.
 */
function sameVersions(locked, installed) {
  const ours = new Set(locked.optional.map((name) => `node_modules/${name}`));
  const missing = Object.entries(locked.packages).some(([path, wanted]) => {
    const found = installed.packages[path];
    if (found !== undefined) {
      return found.version !== wanted.version;
    }
    return !wanted.optional || (ours.has(path) && isForThisPlatform(wanted));
  });
  const surplus = Object.keys(installed.packages).some(
    (path) => locked.packages[path] === undefined,
  );
  return !missing && !surplus;
}

function isForThisPlatform({ os, cpu }) {
  return (os?.includes(process.platform) ?? true) && (cpu?.includes(process.arch) ?? true);
}

async function npmCi(progress) {
  progress('about a minute');
  const args = [
    ...['ci', '--no-audit', '--no-fund', '--loglevel=error'],
    // Also with NODE_ENV=production: the pages are built here.
    ...['--include=dev', '--include=optional', '--fetch-retry-mintimeout=1000'],
    '--fetch-retry-maxtimeout=5000',
  ];
  try {
    await mkdir(cache, { recursive: true });
    await run('npm', args, {
      cwd: root,
      env: { ...process.env, PATH: pathWithoutModules() },
      onStart: (pid) => writeFileSync(installPidFile, String(pid)),
    });
    await rm(installPidFile, { force: true });
  } catch (error) {
    const log = await keepLog('npm-ci.log', error);
    throw new StartError(explainNpmFailure(error.lines.join('\n'), log));
  }
}

/**
 * Under `npm start` the pinned Node.js in node_modules comes first on PATH. `npm ci` removes
 * node_modules, so it must not run on it.
 */
export function pathWithoutModules() {
  const inModules = (folder) => folder.startsWith(join(root, 'node_modules'));
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !inModules(folder))
    .join(delimiter);
}

const NETWORK =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT|network/i;

export function explainNpmFailure(output, log) {
  if (/EACCES|EPERM|EROFS/.test(output)) {
    return `npm may not write into ${root}: make your user the owner of the clone, then run the command again (details: ${log}).`;
  }
  if (/ENOSPC/.test(output)) {
    return 'The disk is full: the dependencies need about 1 GB. Make room, then run the command again.';
  }
  if (NETWORK.test(output)) {
    return `The npm registry cannot be reached, and the first start needs it: check the internet connection and the proxy ("npm ping"), then run the command again (details: ${log}).`;
  }
  return `npm ci failed: see ${log}, then run the command again.`;
}
