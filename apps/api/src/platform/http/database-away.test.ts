import { errors, getProfile, login } from '@mogakgong/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { query } from '../../../../../test/admin-query.ts';
import { createPostgresProxy, type PostgresProxy } from '../../../test/postgres-proxy.ts';
import { createTestApp, type Learner, PASSWORD, type TestApp } from '../../../test/test-app.ts';

/** Long enough for a new connection on a busy machine. */
const ACQUIRE_TIMEOUT_MS = 1_500;
const STATEMENT_TIMEOUT_MS = 3_000;
/** The client's own bound on a statement is 2 s longer. */
const SILENT_CONNECTION_ENDS_WITHIN_MS = STATEMENT_TIMEOUT_MS + 2_000 + 2_000;
const SERVES_AGAIN_WITHIN_MS = 10_000;

let app: TestApp;
let learner: Learner;
let proxy: PostgresProxy;
beforeEach(async () => {
  proxy = await createPostgresProxy(inject('postgres'));
  app = await createTestApp({
    databaseOptions: {
      connection: proxy.connection,
      poolSize: 2,
      acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
    },
  });
  learner = await app.newLearner();
});
afterEach(async () => {
  await app.close();
  await proxy.close();
});

const readProfile = async () => app.inject({ url: getProfile.path, headers: learner.headers });
/** The pool's work for an aborted request may still be pending. */
const expectServed = () =>
  vi.waitFor(
    async () => expect((await readProfile()).statusCode).toBe(200),
    SERVES_AGAIN_WITHIN_MS,
  );
const expectUnavailable = async () => {
  const answer = await readProfile();
  expect([answer.statusCode, answer.json()]).toEqual([
    503,
    { message: errors.unavailable.ko, error: 'unavailable', errorCode: 'C503' },
  ]);
};

const admin = () => ({ ...inject('postgres'), database: app.databaseName });

/** Number of waiting locks. */
async function countWaiting(): Promise<number> {
  const { rows } = await query(
    admin(),
    `select from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length;
}

/** Locks the table of users on a separate connection: every reader waits. */
async function lockUsers(): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client(admin());
  await client.connect();
  await client.query('begin; lock table users');
  return { release: () => client.end() };
}

describe('a request is answered 503, and the next one as ever,', () => {
  it('when every connection of the pool is in use', async () => {
    const held = await Promise.all([1, 2].map(() => app.database.startTransaction().execute()));
    await expectUnavailable();
    await Promise.all(held.map((transaction) => transaction.rollback().execute()));
    await expectServed();
  });

  it('when PostgreSQL has no connection left (53300)', async () => {
    const role = `limited_${app.databaseName}`;
    const { password } = proxy.connection;
    await query(admin(), `create role ${role} superuser login password '${password}'`);
    const crowded = await createTestApp({
      besides: app,
      databaseOptions: { connection: { ...proxy.connection, user: role }, poolSize: 2 },
    });
    try {
      // The limit of a role does not apply to superusers.
      await query(admin(), `alter role ${role} nosuperuser connection limit 1`);
      const held = await crowded.database.startTransaction().execute();
      const answer = await crowded.inject({ url: getProfile.path, headers: learner.headers });
      expect(answer.statusCode).toBe(503);
      expect(crowded.logLines.join('')).toContain('"code":"53300"');
      await held.rollback().execute();
    } finally {
      await crowded.close();
      await query(admin(), `drop role ${role}`);
    }
  });

  it('when a statement takes too long (57014)', async () => {
    const lock = await lockUsers();
    await expectUnavailable();
    expect(app.logLines.join('')).toContain('"code":"57014"');
    await lock.release();
    await expectServed();
  });

  it('when its connection breaks, or none can be made', async () => {
    const lock = await lockUsers();
    const broken = readProfile();
    await vi.waitFor(async () => expect(await countWaiting()).toBe(1), STATEMENT_TIMEOUT_MS);
    proxy.cut();
    expect((await broken).statusCode).toBe(503);
    await expectUnavailable();
    proxy.restore();
    await lock.release();
    await expectServed();
  });

  it('when one connection is silent and the others work', async () => {
    const { email } = learner;
    const logIn = () =>
      app.inject({ method: login.method, url: login.path, payload: { email, password: PASSWORD } });
    // Without jobs nothing watches the database: only the bound on a statement ends the connection.
    const ended = proxy.freezeOn(email);
    const startMs = performance.now();
    const refused = logIn();
    await expectServed();
    expect((await refused).statusCode).toBe(503);
    await ended;
    expect(performance.now() - startMs).toBeLessThan(SILENT_CONNECTION_ENDS_WITHIN_MS);
    expect((await logIn()).statusCode).toBe(200);
  });
});

it('rolls back a transaction that its process does not continue', async () => {
  const held = await app.database.startTransaction().execute();
  await sql`select from users where id = ${learner.userId} for update`.execute(held);
  const waiting = sql`update users set introduction = 'later' where id = ${learner.userId}`;
  // The first try may wait longer than a statement may; the second finds the lock released.
  await vi.waitFor(() => waiting.execute(app.database), SERVES_AGAIN_WITHIN_MS);
  await expect(held.rollback().execute()).rejects.toThrow();
});
