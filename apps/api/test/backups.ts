import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, inject } from 'vitest';
import { query } from '../../../test/admin-query.ts';
import { backUp } from '../src/features/backup/index.ts';
import { createDatabase, type PooledDatabase } from '../src/platform/database/index.ts';
import type { Env } from '../src/platform/env/index.ts';
import { createLogger } from '../src/platform/logger/index.ts';
import { everythingStored } from './everything-stored.ts';
import { givePersonalHistory } from './personal-history.ts';
import { createTestApp, type TestApp } from './test-app.ts';

/** The address of a database of the tests, for commands. */
export function databaseUrl(database: string): string {
  const { host, port, user, password } = inject('postgres');
  return `postgresql://${user}:${password}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`;
}

/** The environment of a command of the operator on the site of an app. */
export const envOf = (app: TestApp, change: Partial<Env> = {}): Env => ({
  ...app.env,
  DATABASE_URL: databaseUrl(app.databaseName),
  ...change,
});

/** A site with rows in every table of a learner, a picture, and an archive of it in `file`. */
export async function openArchivedSite() {
  const app = await createTestApp();
  const learner = await app.newLearner();
  await givePersonalHistory(app, learner, await app.newLearner());
  const folder = path.dirname(app.env.IMAGES_DIR);
  const file = path.join(folder, 'archive');
  await backUp(envOf(app), file, 'backup');
  return { app, folder, file, close: app.close };
}

/** A place of its own to restore to: an empty database, and a folder. */
export interface EmptySite extends AsyncDisposable {
  readonly env: Env;
  readonly database: string;
  /** A pool on it, until the end of `work`: a restore refuses beside one. */
  withDatabase<T>(work: (database: PooledDatabase) => Promise<T>): Promise<T>;
  stored(): Promise<Readonly<Record<string, unknown>>>;
}

export async function createEmptySite(env: Env): Promise<EmptySite> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await query(inject('postgres'), `create database ${name}`);
  const folder = await mkdtemp(path.join(tmpdir(), 'mogakgong-restore-'));
  async function withDatabase<T>(work: (database: PooledDatabase) => Promise<T>): Promise<T> {
    const connection = { ...inject('postgres'), database: name };
    const database = createDatabase({ connection, logger: createLogger('silent') });
    return work(database).finally(() => database.destroy());
  }
  return {
    database: name,
    env: { ...env, DATABASE_URL: databaseUrl(name), IMAGES_DIR: path.join(folder, 'images') },
    withDatabase,
    stored: () => withDatabase(everythingStored),
    async [Symbol.asyncDispose]() {
      await query(inject('postgres'), `drop database ${name} with (force)`);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** For a restore that needs no secret of the archive. */
export const refuseSecrets = async () => expect.unreachable('no secret is missing');

/** Tables that differ after a restore: log-ins end, links are void, and the site has another id. */
const CHANGED = ['login_session', 'password_reset', 'email_change', 'site', 'kysely_migration'];
export const comparable = (stored: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(stored).filter(([table]) => !CHANGED.includes(table)));
