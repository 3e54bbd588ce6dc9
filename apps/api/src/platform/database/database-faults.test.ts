import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, inject, it, type ProvidedContext } from 'vitest';
import { query } from '../../../../../test/admin-query.ts';
import { startOwnPostgres } from '../../../../../test/own-postgres.ts';
import { hasNetworkNamespaces, openVanishingPostgres } from '../../../test/network-namespace.ts';
import { type Outage, startLearners } from '../../../test/outage.ts';
import { createPostgresProxy } from '../../../test/postgres-proxy.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { ACQUIRE_TIMEOUT_MS } from './database.ts';

const READY_ANSWERS_WITHIN_MS = 1_000;
const NOT_READY_WITHIN_MS = 3_000;
const WHOLE_WITHIN_MS = 5_000;
/** After this time every attempt from before the end is answered or counts as hung. */
const OBSERVE_MS = 7_000;
const TIMEOUT_MS = 60_000;
const OPEN_MS = 120_000;

interface Fault {
  readonly postgres: ProvidedContext['postgres'];
  /** Resolves once nothing works, with the moment of the loss in ms: commands of the fault take their time. */
  begin(app: TestApp): Promise<number>;
  /** The database is back. */
  end(app: TestApp): Promise<void>;
  close(): Promise<void>;
}

/** Begins a fault that is there when `begin` ends, and not before. */
async function lostAfter(begin: () => Promise<void>): Promise<number> {
  await begin();
  return performance.now();
}

async function vanished(): Promise<Fault> {
  const postgres = await openVanishingPostgres(inject('postgres'));
  return {
    postgres: postgres.connection,
    begin: () => lostAfter(postgres.vanish),
    end: postgres.return,
    close: postgres.close,
  };
}

async function frozen(): Promise<Fault> {
  const { superuser, freeze, thaw, close } = await startOwnPostgres();
  return { postgres: superuser, begin: () => lostAfter(freeze), end: thaw, close };
}

async function refusing(): Promise<Fault> {
  const proxy = await createPostgresProxy(inject('postgres'));
  return {
    postgres: proxy.connection,
    begin: () => lostAfter(async () => proxy.cut()),
    end: async () => proxy.restore(),
    close: proxy.close,
  };
}

/** As after a failover to a read-only server: connections break, new ones are read-only. */
async function readOnly(): Promise<Fault> {
  const postgres = inject('postgres');
  const setReadOnly = async (isReadOnly: boolean, { databaseName }: TestApp) => {
    const setting = `default_transaction_read_only = ${isReadOnly}`;
    await query(postgres, `alter database ${databaseName} set ${setting}`);
  };
  return {
    postgres,
    async begin(app) {
      await setReadOnly(true, app);
      const cutMs = performance.now();
      await query(
        postgres,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${app.databaseName}'`,
      );
      return cutMs;
    },
    end: (app) => setReadOnly(false, app),
    close: async () => undefined,
  };
}

/** The server dies, and a copy of it serves behind the same address. */
async function failedOver(): Promise<Fault> {
  const first = await startOwnPostgres();
  const proxy = await createPostgresProxy(first.superuser);
  let current = first;
  return {
    postgres: proxy.connection,
    async begin() {
      const stoppedMs = performance.now();
      current = await first.moveAway();
      return stoppedMs;
    },
    async end() {
      proxy.switchTo(current.superuser);
    },
    async close() {
      await proxy.close();
      await current.close();
    },
  };
}

/** New connections work all the time, so it ends as it begins. */
async function connectionsFrozen(): Promise<Fault> {
  const proxy = await createPostgresProxy(inject('postgres'));
  return {
    postgres: proxy.connection,
    begin: () => lostAfter(async () => proxy.freeze()),
    end: async () => undefined,
    close: proxy.close,
  };
}

/** At this delay a new session, which takes several answers, is not open within a second. */
const SLOW_MS = 300;

async function slow(): Promise<Fault> {
  const proxy = await createPostgresProxy(inject('postgres'));
  return {
    postgres: proxy.connection,
    begin: () => lostAfter(async () => proxy.delayAnswers(SLOW_MS)),
    end: async () => proxy.delayAnswers(0),
    close: proxy.close,
  };
}

const closers = new AsyncDisposableStack();
// Servers of a failed test stop slowly, and must not stay.
afterAll(() => closers.disposeAsync(), OPEN_MS);

async function openSite(open: () => Promise<Fault>) {
  const fault = await open();
  closers.defer(fault.close);
  const app = await createTestApp({
    postgres: fault.postgres,
    // The product's; tests wait longer.
    databaseOptions: { acquireTimeoutMs: ACQUIRE_TIMEOUT_MS },
  });
  closers.defer(app.close);
  await app.listen();
  // The jobs compare it with the database's.
  const follow = () => app.clock.advance(Date.now() - app.clock.now().getTime());
  follow();
  const clock = setInterval(follow, 500);
  closers.defer(() => clearInterval(clock));
  app.startJobs();
  return { fault, app };
}

/** Lets learners work while the database fails for a while, and afterwards. */
async function runDuringFault(
  { fault, app }: Awaited<ReturnType<typeof openSite>>,
  lastsMs: number,
) {
  const learners = await startLearners(app);
  // Long enough for every connection of the pool to be used.
  await delay(1_000);
  const faultMs = await fault.begin(app);
  await delay(lastsMs);
  await fault.end(app);
  const endMs = performance.now();
  await delay(OBSERVE_MS);
  return {
    outage: await learners.stop(faultMs, endMs),
    acknowledged: await learners.countAcknowledged(),
  };
}

function print(name: string, outage: Outage): void {
  const { notReadyMs, slowestReadyMs, wholeMs, lastFailure } = outage;
  const notReady = notReadyMs === null ? '' : `not ready after ${Math.round(notReadyMs)} ms, `;
  process.stdout.write(
    `database ${name}: ${notReady}/readyz in ${Math.round(slowestReadyMs)} ms at most, ` +
      `whole ${Math.round(wholeMs)} ms after the end (${lastFailure})\n`,
  );
}

const faults: Readonly<Record<string, { open: () => Promise<Fault>; lastsMs: number }>> = {
  ...(hasNetworkNamespaces && { vanished: { open: vanished, lastsMs: 8_000 } }),
  frozen: { open: frozen, lastsMs: 8_000 },
  refusing: { open: refusing, lastsMs: 5_000 },
  'read-only': { open: readOnly, lastsMs: 5_000 },
  // Nothing answers for a while, so that requests and /readyz meet the loss however fast the copy is made.
  'failed over': { open: failedOver, lastsMs: 4_000 },
  slow: { open: slow, lastsMs: 6_000 },
  'connections frozen': { open: connectionsFrozen, lastsMs: 0 },
};
const sites = new Map<string, Awaited<ReturnType<typeof openSite>>>();
beforeAll(async () => {
  const opening = Object.entries(faults).map(async ([name, { open }]) => {
    sites.set(name, await openSite(open));
  });
  await Promise.all(opening);
}, OPEN_MS);

const outageDuring = async (name: string) => {
  const site = sites.get(name);
  const fault = faults[name];
  if (!site || !fault) throw new Error(`there is no fault "${name}"`);
  const seen = await runDuringFault(site, fault.lastsMs);
  print(name, seen.outage);
  return seen;
};

// These tests mostly wait.
it.concurrent.for(['vanished', 'frozen', 'refusing', 'read-only', 'failed over'])(
  'goes on after its database was %s',
  { timeout: TIMEOUT_MS },
  async (name, { skip, expect }) => {
    if (!(name in faults)) skip('this user may not make network namespaces');
    const { outage, acknowledged } = await outageDuring(name);
    expect.soft(outage.slowestReadyMs).toBeLessThan(READY_ANSWERS_WITHIN_MS);
    expect.soft(outage.notReadyMs).toBeLessThan(NOT_READY_WITHIN_MS);
    expect.soft([...new Set(outage.refusals)]).toEqual(['503, again after 2 s']);
    expect.soft(outage.wholeMs).toBeLessThan(WHOLE_WITHIN_MS);
    expect.soft(outage.leastSuccesses).toBeGreaterThan(2);
    expect.soft([...new Set(acknowledged)]).toEqual([1]);
  },
);

it.concurrent('goes on when the connections of now are frozen and new ones work', {
  timeout: TIMEOUT_MS,
}, async ({ expect }) => {
  const { outage, acknowledged } = await outageDuring('connections frozen');
  expect.soft(outage.slowestReadyMs).toBeLessThan(READY_ANSWERS_WITHIN_MS);
  expect.soft(outage.wholeMs).toBeLessThan(WHOLE_WITHIN_MS);
  expect.soft(outage.leastSuccesses).toBeGreaterThan(2);
  expect.soft([...new Set(acknowledged)]).toEqual([1]);
});

it.concurrent('serves, and says so, while its database is slow', {
  timeout: TIMEOUT_MS,
}, async ({ expect }) => {
  const { outage, acknowledged } = await outageDuring('slow');
  expect.soft([outage.notReadyMs, outage.refusals]).toEqual([null, []]);
  expect.soft(outage.leastSuccesses).toBeGreaterThan(2);
  expect.soft([...new Set(acknowledged)]).toEqual([1]);
});
