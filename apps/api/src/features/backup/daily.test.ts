import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DAY_MS, HOUR_MS, SECOND_MS } from '@mogakgong/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { databaseUrl } from '../../../test/backups.ts';
import { createPostgresProxy } from '../../../test/postgres-proxy.ts';
import { AUTH_SECRET, createTestApp, type TestApp } from '../../../test/test-app.ts';
import { run } from './backups.ts';

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
  vi.waitFor(async () => expect(await archives()).toHaveLength(count), { timeout: 50_000 });

it('a backup is made once a day by itself', async () => {
  await app.runJob('backups');
  await untilThereAre(1);
  app.clock.advance(HOUR_MS);
  await app.runJob('backups');
  expect(await archives()).toHaveLength(1);
}, 60_000);

it('one that fails is reported, and tried again after a while', async () => {
  app.clock.advance(DAY_MS);
  vi.stubEnv('AUTH_SECRET', 'too short');
  await app.runJob('backups');
  const reported = () => expect(app.runJob('backups')).rejects.toThrow('backup --daily failed');
  await vi.waitFor(reported, { timeout: 50_000 });
  vi.stubEnv('AUTH_SECRET', AUTH_SECRET);
  await app.runJob('backups');
  expect(await archives()).toHaveLength(1);
  app.clock.advance(HOUR_MS);
  await app.runJob('backups');
  await untilThereAre(2);
}, 60_000);

it('the oldest ones go', async () => {
  const [oldest = ''] = await archives();
  app.clock.advance(DAY_MS);
  const isGone = async () => {
    await app.runJob('backups');
    expect(await archives()).not.toContain(oldest);
  };
  await vi.waitFor(isGone, { timeout: 50_000 });
  expect(await archives()).toHaveLength(2);
}, 60_000);

it('one of a clock that was ahead keeps no other from being made', async () => {
  await writeFile(path.join(app.env.BACKUP_TO, 'daily-29990101T000000Z.tar.gz'), '');
  const before = await archives();
  app.clock.advance(DAY_MS);
  const isMade = async () => {
    await app.runJob('backups');
    expect((await archives()).some((name) => !before.includes(name))).toBe(true);
  };
  await vi.waitFor(isMade, { timeout: 50_000 });
}, 60_000);

it('one whose database never answers is ended and reported, as is a copy of the ledger', async () => {
  const proxy = await createPostgresProxy(inject('postgres'));
  const { user, password, port } = proxy.connection;
  vi.stubEnv(
    'DATABASE_URL',
    `postgresql://${user}:${password}@127.0.0.1:${port}/${app.databaseName}`,
  );
  try {
    for (const [option, text] of [
      ['--daily', 'lock table'],
      ['--ledger', 'from ledger'],
    ] as const) {
      const ended = proxy.freezeOn(text);
      await expect(run(option, 10 * SECOND_MS)).rejects.toThrow(
        `backup ${option} failed: it was ended after 10 s`,
      );
      await ended;
    }
  } finally {
    await proxy.close();
    vi.stubEnv('DATABASE_URL', databaseUrl(app.databaseName));
  }
}, 60_000);

it('the ledger is copied whenever it has changed; short mutes are not in it', async () => {
  const { userId } = await app.newLearner();
  const sanction = (kind: string, lasting: string) =>
    sql`
    insert into sanction (user_id, kind, reason, imposed_at, changed_at, ends_at)
    values (${userId}, ${kind}, 'rudeness', now(), now(), now() + ${lasting}::interval)`.execute(
      app.database,
    );
  const copied = async (): Promise<{ state: object }[]> =>
    JSON.parse(await readFile(path.join(app.env.BACKUP_TO, 'ledger.json'), 'utf8'));
  await sanction('suspend', '1 day');
  await sanction('muteChat', '10 minutes');
  await app.runJob('ledger of backups');
  expect(await copied()).toMatchObject([{ state: { kind: 'suspend', userId } }]);
  await sql`update sanction set lifted_at = now()`.execute(app.database);
  await app.runJob('ledger of backups');
  expect(await copied()).toMatchObject([{ state: { liftedAt: expect.any(String) } }]);
}, 60_000);
