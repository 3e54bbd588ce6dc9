import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { RedisServer } from '../../test/redis-server.ts';
import { cpuSeconds, processTree } from '../support/processes.ts';
import type { RunDatabase } from '../support/product.ts';

/** The parts of a site whose costs are counted. */
export interface Measured {
  readonly database: RunDatabase;
  readonly redis: RedisServer;
  /** With real sockets. */
  readonly apiPids: readonly number[];
  /** Of the load: learners, and the API processes without sockets. */
  readonly loadPids: readonly number[];
}

/** Sums since the start of each part. */
interface Sums {
  readonly atMs: number;
  readonly databaseSeconds: number;
  readonly statements: number;
  /** Executions of statements, by PostgreSQL's own clock. */
  readonly statementMs: number;
  readonly walBytes: number;
  readonly commits: number;
  readonly redisSeconds: number;
  readonly published: number;
  readonly limited: number;
  readonly redisOutBytes: number;
  readonly apiSeconds: number;
  readonly loadSeconds: number;
  /** Of all cores of the machine: working for anybody, and in all. */
  readonly busyTicks: number;
  readonly allTicks: number;
}

async function readSums({ database, redis, apiPids, loadPids }: Measured): Promise<Sums> {
  const [statements] = await database.query<{ calls: string; ms: number }>(
    'select sum(calls) as calls, sum(total_exec_time) as ms from pg_stat_statements',
  );
  const [written] = await database.query<{ wal: string; commits: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal,
            (select sum(xact_commit) from pg_stat_database) as commits`,
  );
  const info = await readInfo(redis);
  const [busyTicks, allTicks] = machineTicks();
  const callsOf = (command: string) =>
    Number(/calls=(\d+)/u.exec(info.get(`cmdstat_${command}`) ?? '')?.[1] ?? 0);
  return {
    atMs: performance.now(),
    databaseSeconds: cpuSeconds(processTree(database.postmasterPid)),
    statements: Number(statements?.calls),
    statementMs: Number(statements?.ms),
    walBytes: Number(written?.wal),
    commits: Number(written?.commits),
    redisSeconds: cpuSeconds([Number(info.get('process_id'))]),
    published: callsOf('publish'),
    limited: callsOf('eval') + callsOf('evalsha') + callsOf('rlflxIncr'),
    redisOutBytes: Number(info.get('total_net_output_bytes')),
    apiSeconds: cpuSeconds(apiPids),
    loadSeconds: cpuSeconds(loadPids),
    busyTicks,
    allTicks,
  };
}

/** The sums, of one second. */
export type Rates = Omit<Sums, 'atMs' | 'busyTicks' | 'allTicks'>;

export interface Phase extends Rates {
  /** The share of the machine's processors at work, for anybody. */
  readonly busy: number;
  /** The load average at the end. */
  readonly load: number;
}

/** Counts for so long. */
export async function watch(measured: Measured, seconds: number): Promise<Phase> {
  const before = await readSums(measured);
  await delay(seconds * 1_000);
  const after = await readSums(measured);
  const tookSeconds = (after.atMs - before.atMs) / 1_000;
  const keys = Object.keys(after) as (keyof Sums)[];
  const rates = Object.fromEntries(
    keys.map((key) => [key, (after[key] - before[key]) / tookSeconds]),
  ) as unknown as Sums;
  return { ...rates, busy: rates.busyTicks / rates.allTicks, load: loadavg()[0] ?? Number.NaN };
}

/** All that Redis says about itself, by name. */
export async function readInfo(redis: RedisServer): Promise<Map<string, string>> {
  const text = await redis.run('INFO everything');
  const lines = text.split('\r\n').map((line) => line.split(':', 2) as [string, string]);
  return new Map(lines);
}

function machineTicks(): [busy: number, all: number] {
  const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const ticks = first.split(/\s+/u).slice(1).map(Number);
  const all = ticks.reduce((sum, one) => sum + one, 0);
  // Idle, and waiting for the disk.
  return [all - (ticks[3] ?? 0) - (ticks[4] ?? 0), all];
}

/** A statement, and what it cost since the counters were last reset. */
export interface StatementCost {
  readonly text: string;
  readonly calls: number;
  readonly ms: number;
  readonly rows: number;
}

/** The most expensive statements. */
export async function readStatements(
  database: RunDatabase,
  most: number,
): Promise<StatementCost[]> {
  const rows = await database.query<{ text: string; calls: string; ms: number; rows: string }>(
    `select regexp_replace(query, '\\s+', ' ', 'g') as text, calls, total_exec_time as ms, rows
     from pg_stat_statements order by total_exec_time desc limit $1`,
    [most],
  );
  return rows.map(({ text, calls, ms, rows: found }) => ({
    text,
    calls: Number(calls),
    ms,
    rows: Number(found),
  }));
}
