import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { query } from '../../../test/admin-query.ts';
import { makeDataDir, removeDataDir } from '../../../test/data-dir.ts';
import { acquireInstanceLock } from './instance-lock/index.ts';
import { createLogger } from './logger.ts';
import { startPostgres } from './postgres-server/index.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const logger = createLogger('silent');
let dataDir: string;
beforeEach(async () => {
  dataDir = await makeDataDir();
});
afterEach(() => removeDataDir(dataDir));

/** Output of `npm run admin -- list` for DATA_DIR. */
async function listed(): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'admin', '--', 'list'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' },
  });
  return stdout;
}

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
