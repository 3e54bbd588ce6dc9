import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { query } from '../../../test/admin-query.ts';
import { makeDataDir, removeDataDir } from '../../../test/data-dir.ts';
import { acquireInstanceLock } from './instance-lock/index.ts';
import { createLogger } from './logger.ts';
import { startPostgres } from './postgres-server/index.ts';
import { stepsToSecrets } from './secret-file.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const logger = createLogger('silent');
let dataDir: string;
beforeEach(async () => {
  dataDir = await makeDataDir();
});
afterEach(() => removeDataDir(dataDir));

/** Output of `npm run COMMAND -- …` for a DATA_DIR. */
async function run(folder: string, command: string, words: readonly string[], change = {}) {
  const { stdout } = await promisify(execFile)(
    'npm',
    ['run', '--silent', command, '--', ...words],
    {
      cwd: root,
      env: { ...process.env, DATA_DIR: folder, DATABASE_URL: '', ...change },
    },
  );
  return stdout;
}
const admin = (...words: readonly string[]) => run(dataDir, 'admin', words);
const listed = () => admin('list');

test('a command works on the database of DATA_DIR while the product is stopped and while it runs', async () => {
  expect(await listed()).toBe('Nobody has a role yet.\n');

  const lock = await acquireInstanceLock({ dataDir, logger });
  await expect(listed()).rejects.toMatchObject({ stderr: expect.stringContaining('is starting') });
  const server = await startPostgres({ dataDir, logger, durable: false });
  try {
    await lock.announceRunning('http://localhost:3000');
    await query(
      server.connection,
      `insert into users (nickname, introduction, profile_image, social_provider, role)
       values ('등불', '', 'default.jpg', 'LOCAL', 'admin')`,
    );
    expect(await listed()).toBe('admin      #1  (no e-mail)  등불\n');
  } finally {
    await server.stop();
    await lock.release();
  }
});

test('secrets rotate puts a new secret in front, which prune leaves alone once nothing needs the old one', async () => {
  const file = path.join(dataDir, 'auth-secret');
  const read = async () => (await readFile(file, 'utf8')).trim().split('\n');
  expect(await admin('secrets')).toMatch(
    /^[\da-f]{8} {2}signs {5}seals media servers, sanctioned e-mails, second factor/u,
  );
  const [old] = await read();
  expect(await admin('secrets', 'rotate')).toContain('DATA_DIR has a new secret.');
  const [fresh, second, ...others] = await read();
  expect([second, others, fresh === old]).toEqual([old, [], false]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  // No API has started with it.
  await expect(admin('secrets', 'prune')).rejects.toMatchObject({
    stderr: expect.stringContaining('restart every API first'),
  });
  expect(await read()).toEqual([fresh, old]);
});

test('a backup is restored into another DATA_DIR, which gets its secrets as well', async () => {
  const archive = path.join(dataDir, 'archive.tar.gz');
  expect(await listed()).toBe('Nobody has a role yet.\n');
  expect(await run(dataDir, 'backup', [archive])).toContain('It is not encrypted');
  const secret = await readFile(path.join(dataDir, 'auth-secret'), 'utf8');
  const other = await makeDataDir();
  try {
    const set = { AUTH_SECRET: 'a secret that the operator has chosen' };
    await expect(run(other, 'restore', [archive], set)).rejects.toMatchObject({
      stderr: expect.stringContaining('made with another AUTH_SECRET'),
    });
    expect(await run(other, 'restore', [archive])).toContain('Everybody logs in again.');
    const secrets = await readFile(path.join(other, 'auth-secret'), 'utf8');
    expect(secrets.split('\n')[1]).toBe(secret.trim());
    expect(await run(other, 'admin', ['list'])).toBe('Nobody has a role yet.\n');
  } finally {
    await removeDataDir(other);
  }
});

test('processes restart with a new secret that verifies before they restart with one that signs', () => {
  const envOf = (...secrets: readonly string[]) => ({ AUTH_SECRET: secrets.join() });
  expect(stepsToSecrets(envOf('a'), envOf('b', 'a'))).toEqual([envOf('a', 'b'), envOf('b', 'a')]);
  expect(stepsToSecrets(envOf('b', 'a'), envOf('b'))).toEqual([envOf('b')]);
  expect(stepsToSecrets(envOf('a'), envOf('a'))).toEqual([envOf('a')]);
  expect(stepsToSecrets({}, {})).toEqual([{}]);
});
