import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { seatLearners } from '../../bench/support/product.ts';
import { type ApiPlan, type FaultSite, OPEN_FILES } from './fault-site.ts';
import type { Load } from './load-process.ts';

/** Something that goes wrong with a site. */
export interface Fault {
  readonly name: string;
  /** How the API processes run meanwhile; as usual unless given. */
  readonly plan?: ApiPlan;
  /** What strangers or learners do to it; made before anything is under way or locked. */
  readonly load?: (site: FaultSite) => Load | Promise<Load>;
  /** Begins it; resolves when it is there, with how to end it. */
  strike(site: FaultSite, load?: Load): Promise<() => Promise<void>>;
  readonly lastsMs: number;
  /** How long after its end everything must be done, in ms; 5 s unless given. */
  readonly boundMs?: number;
  /** It must not keep anything from being done while it lasts: the bound counts from its beginning. */
  readonly isHarmless?: boolean;
  /** `/readyz` must say so while it lasts. */
  readonly makesUnready?: boolean;
}

/** Outages are longer than the 3 s after which `/readyz` must say so. */
const OUTAGE_MS = 4_500;
/** What ends at once, such as a kill. */
const AT_ONCE_MS = 0;
const LOAD_MS = 6_000;
/** One process with the limits that operators have. */
const realLimits: ApiPlan = { processes: 1, scale: 1 };
const LOCKED_WITHIN_MS = 200;
const READERS = 19;
const ELEMENTS = 2_000;

/** Runs statements as a superuser, on a connection that lasts as long as the work. */
async function asSuperuser<Result>(
  site: FaultSite,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(site.superuser);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function setReadOnly(site: FaultSite, isReadOnly: boolean): Promise<void> {
  const value = isReadOnly ? 'on' : 'off';
  await asSuperuser(site, async (client) => {
    await client.query('set default_transaction_read_only = off');
    await client.query(`alter system set default_transaction_read_only = ${value}`);
    await client.query('select pg_reload_conf()');
  });
}

/** Locks a table so that each statement on it fails by its timeout. */
export async function lockTables(
  site: FaultSite,
  tables: string,
  mode: 'exclusive' | 'access exclusive',
): Promise<() => Promise<void>> {
  const client = new pg.Client(site.superuser);
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  await client.query(`lock table ${tables} in ${mode} mode`);
  return async () => {
    await client.query('rollback').catch(() => undefined);
    await client.end().catch(() => undefined);
  };
}

/** Puts its load on a site; learners must find a way in beside it. */
const putLoad: Fault['strike'] = async ({ loader, proxy }, load) => {
  if (load) await loader.start(load);
  proxy.cutAll();
  return async () => loader.stop();
};

/** A full room with a full board. */
async function fillBoard(site: FaultSite): Promise<Load> {
  const learners = await seatLearners(site.database.url, {
    rooms: 1,
    members: READERS,
    secret: site.secret,
    name: `reader${Date.now() % 1_000_000}-`,
  });
  const roomId = learners[0]?.roomId ?? 0;
  const element = JSON.stringify({ id: 'x', type: 'freedraw', points: [], text: 'x'.repeat(900) });
  await site.database.query(
    `with opened as (
       insert into board (room_id, epoch, changed_at, number, elements, bytes)
       select id, epoch, now(), 1, $2, $2 * 1000 from study_room where id = $1
       returning room_id, epoch
     )
     insert into board_element
     select room_id, epoch, 'e' || n, 1, 1, 1, false, $3, $4, 1000, now()
     from opened, generate_series(1, $2::integer) as n`,
    [roomId, ELEMENTS, learners[0]?.userId, element],
  );
  const tokens = learners.map(({ token }) => token);
  return { kind: 'boards', port: site.port, roomId, tokens, everyMs: 1_000 };
}

/** Every fault of the run, in its order. */
export const faults: readonly Fault[] = [
  {
    name: 'PostgreSQL vanishes, and is back',
    lastsMs: OUTAGE_MS,
    makesUnready: true,
    async strike({ databaseAddress }) {
      await databaseAddress.vanish();
      return () => databaseAddress.return();
    },
  },
  {
    name: 'PostgreSQL frozen',
    lastsMs: OUTAGE_MS,
    makesUnready: true,
    async strike(site) {
      await site.signalPostgres('SIGSTOP');
      return () => site.signalPostgres('SIGCONT');
    },
  },
  {
    name: 'connections to PostgreSQL frozen for good, new ones work',
    lastsMs: AT_ONCE_MS,
    async strike({ databaseProxy }) {
      databaseProxy.freezePresent();
      return async () => undefined;
    },
  },
  {
    name: 'PostgreSQL stopped, and started',
    lastsMs: OUTAGE_MS,
    makesUnready: true,
    async strike(site) {
      await site.stopPostgres();
      return () => site.startPostgres();
    },
  },
  {
    name: 'PostgreSQL read-only',
    lastsMs: OUTAGE_MS,
    makesUnready: true,
    async strike(site) {
      await setReadOnly(site, true);
      return () => setReadOnly(site, false);
    },
  },
  {
    name: 'failover: old connections go nowhere, another server answers behind the address',
    lastsMs: OUTAGE_MS,
    makesUnready: true,
    async strike(site) {
      site.databaseProxy.freeze();
      await site.signalPostgres('SIGKILL');
      await site.stopPostgres();
      return async () => {
        await site.startPostgres();
        site.databaseProxy.thawNew();
      };
    },
  },
  {
    name: 'Redis killed, and started',
    lastsMs: OUTAGE_MS,
    async strike({ redis }) {
      await redis.kill();
      return () => redis.start();
    },
  },
  {
    name: 'Redis frozen',
    lastsMs: OUTAGE_MS,
    async strike({ redis }) {
      redis.freeze();
      return async () => redis.thaw();
    },
  },
  {
    name: 'Redis refuses SUBSCRIBE',
    lastsMs: OUTAGE_MS,
    async strike({ redis, proxy }) {
      await redis.run('ACL SETUSER default -subscribe -psubscribe -ssubscribe');
      proxy.cutAll();
      return async () =>
        void (await redis.run('ACL SETUSER default +subscribe +psubscribe +ssubscribe'));
    },
  },
  {
    name: 'LiveKit killed',
    lastsMs: AT_ONCE_MS,
    async strike(site) {
      await site.signalMedia('SIGKILL');
      return async () => undefined;
    },
  },
  {
    name: 'LiveKit frozen',
    lastsMs: OUTAGE_MS,
    async strike(site) {
      await site.signalMedia('SIGSTOP');
      return () => site.signalMedia('SIGCONT');
    },
  },
  {
    name: 'API processes killed',
    lastsMs: AT_ONCE_MS,
    strike: (site) => site.killApis(),
  },
  {
    name: 'API restarted (SIGHUP)',
    lastsMs: AT_ONCE_MS,
    async strike(site) {
      const restarted = site.restartApis();
      return () => restarted;
    },
  },
  {
    name: "strangers' sockets: 40 networks × 50, 300 upgrades/s",
    plan: realLimits,
    lastsMs: LOAD_MS,
    isHarmless: true,
    load: ({ port }) => ({
      ...{ kind: 'sockets', port, networks: 40, each: 50, upgradesPerSecond: 300 },
    }),
    strike: putLoad,
  },
  {
    name: 'file descriptors held by idle connections',
    plan: realLimits,
    lastsMs: LOAD_MS,
    isHarmless: true,
    load: ({ port }) => ({
      ...{ kind: 'connections', port, networks: 42, each: Math.ceil(OPEN_FILES / 40) },
    }),
    strike: putLoad,
  },
  {
    name: 'a full room reads its full board',
    plan: realLimits,
    lastsMs: LOAD_MS,
    boundMs: 2_000,
    isHarmless: true,
    load: fillBoard,
    strike: putLoad,
  },
  {
    name: 'chat locked for longer than a statement may take',
    lastsMs: 11_000,
    async strike(site) {
      const locking = lockTables(site, 'chat_message', 'access exclusive');
      // It may wait behind operations that are under way.
      await Promise.race([locking, delay(LOCKED_WITHIN_MS)]);
      return async () => (await locking)();
    },
  },
];
