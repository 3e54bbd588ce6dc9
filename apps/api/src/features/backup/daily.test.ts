import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { databaseUrl } from '../../../test/backups.ts';
import { AUTH_SECRET, createTestApp, type TestApp } from '../../../test/test-app.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ env: { BACKUP_DAILY: '00:00', BACKUP_KEEP: '2' } });
  await app.newLearner();
  vi.stubEnv('DATABASE_URL', databaseUrl(app.databaseName));
  vi.stubEnv('AUTH_SECRET', AUTH_SECRET);
  vi.stubEnv('IMAGES_DIR', app.env.IMAGES_DIR);
  vi.stubEnv('BACKUP_TO', app.env.BACKUP_TO);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await app.close();
});

const archives = async () =>
  (await readdir(app.env.BACKUP_TO)).filter((name) => name.startsWith('daily-'));

/** The job does not wait for the backup. */
const untilThereAre = (count: number) =>
  vi.waitFor(async () => expect(await archives()).toHaveLength(count), { timeout: 20_000 });

it('a backup is made once a day by itself', async () => {
  await app.runJob('backups');
  await untilThereAre(1);
  app.clock.advance(HOUR_MS);
  await app.runJob('backups');
  expect(await archives()).toHaveLength(1);
});

it('one that fails is reported, and tried again after a while; the oldest ones go', async () => {
  app.clock.advance(DAY_MS);
  vi.stubEnv('AUTH_SECRET', 'too short');
  await app.runJob('backups');
  const reported = () => expect(app.runJob('backups')).rejects.toThrow('the daily backup failed');
  await vi.waitFor(reported, { timeout: 20_000 });
  vi.stubEnv('AUTH_SECRET', AUTH_SECRET);
  await app.runJob('backups');
  expect(await archives()).toHaveLength(1);
  app.clock.advance(HOUR_MS);
  await app.runJob('backups');
  await untilThereAre(2);
  const [oldest = ''] = await archives();
  app.clock.advance(DAY_MS);
  const isGone = async () => {
    await app.runJob('backups');
    expect(await archives()).not.toContain(oldest);
  };
  await vi.waitFor(isGone, { timeout: 20_000 });
  expect(await archives()).toHaveLength(2);
});
