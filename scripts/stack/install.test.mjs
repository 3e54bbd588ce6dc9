import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { explainNpmFailure, waitForOtherInstall, whyInstall } from './install.mjs';
import { root } from './places.mjs';
import { StartError } from './terminal.mjs';

let folder;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mogakgong-install-'));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

const lodge = { 'node_modules/lodge': { version: '1.0.0' } };
const foreign = {
  'node_modules/native-other': { version: '1.0.0', optional: true, os: ['other'], cpu: ['other'] },
};
const native = {
  'node_modules/native-here': {
    version: '1.0.0',
    optional: true,
    os: [process.platform],
    cpu: [process.arch],
  },
};

async function write(path, value) {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), JSON.stringify(value));
}

async function lock(packages, optionalDependencies = {}) {
  await write('package-lock.json', { packages: { '': { optionalDependencies }, ...packages } });
}

async function install(packages) {
  for (const path of Object.keys(packages)) {
    await write(`${path}/package.json`, {});
  }
  await write('node_modules/.package-lock.json', { packages });
}

test('a clone without node_modules is a first start', async () => {
  await lock(lodge);
  expect(await whyInstall(folder)).toBe('first start');
});

test('an install that npm did not finish is done again', async () => {
  await lock(lodge);
  await write('node_modules/lodge/package.json', {});
  expect(await whyInstall(folder)).toBe('an earlier install was not finished');
});

test('an install that lost a package is done again', async () => {
  await lock(lodge);
  await install(lodge);
  await rm(join(folder, 'node_modules/lodge'), { recursive: true });
  expect(await whyInstall(folder)).toBe('an earlier install was damaged');
});

test.each([
  ['another version', { 'node_modules/lodge': { version: '2.0.0' } }],
  ['one more package', { ...lodge, 'node_modules/more': { version: '1.0.0' } }],
  ['one package less', {}],
])('%s in the lock leads to an install', async (_, packages) => {
  await lock(packages);
  await install(lodge);
  expect(await whyInstall(folder)).toBe('package-lock.json has changed');
});

test('nothing is installed when everything is there; packages for other platforms need not be', async () => {
  await lock({ ...lodge, ...foreign });
  await install(lodge);
  expect(await whyInstall(folder)).toBeUndefined();
});

test('an optional package of the project for this very platform must be there', async () => {
  await lock({ ...lodge, ...native }, { 'native-here': '1.0.0' });
  await install(lodge);
  expect(await whyInstall(folder)).toBe('package-lock.json has changed');
  await install({ ...lodge, ...native });
  expect(await whyInstall(folder)).toBeUndefined();
});

test('an install that runs already is waited for; a program in a path with "npm" is not', async () => {
  const pidFile = join(folder, 'npm-ci.pid');
  const idle = 'setInterval(() => {}, 1000)';
  const clone = join(folder, '내 npm 공부방');
  await write('내 npm 공부방/package.json', { scripts: { idle: `node --eval "${idle}"` } });
  await writeFile(join(clone, 'server.mjs'), idle);
  const other = spawn(process.execPath, [join(clone, 'server.mjs')]);
  await writeFile(pidFile, String(other.pid));
  await waitForOtherInstall(pidFile);
  other.kill('SIGKILL');

  const npm = spawn('npm', ['run', 'idle'], { cwd: clone, detached: true });
  await writeFile(pidFile, String(npm.pid));
  let goesOn = false;
  const said = vi.spyOn(console, 'log').mockReturnValue();
  const waiting = waitForOtherInstall(pidFile).then(() => {
    goesOn = true;
  });
  await vi.waitFor(() => expect(said).toHaveBeenCalledWith(expect.stringContaining('Waiting')));
  expect(goesOn).toBe(false);
  process.kill(-npm.pid, 'SIGKILL');
  await waiting;
  await expect(readFile(pidFile)).rejects.toThrow('ENOENT');
});

test('a damaged lock says how to get it back', async () => {
  await install(lodge);
  await expect(whyInstall(folder)).rejects.toThrow(StartError);
  await expect(whyInstall(folder)).rejects.toThrow(/git checkout package-lock.json/);
});

test.each([
  ['npm error code ENOTFOUND', /registry cannot be reached.*internet connection/],
  ['npm error code ECONNREFUSED', /registry cannot be reached/],
  ['npm error code EACCES', new RegExp(`may not write into ${root}.*owner`)],
  ['npm error code ENOSPC', /disk is full/],
  ['npm error code EUSAGE', /npm ci failed: see \/x.log/],
])('npm’s failure %j becomes one line that says what to do', (output, line) => {
  const text = explainNpmFailure(output, '/x.log');
  expect(text).toMatch(line);
  expect(text).not.toContain('\n');
});
