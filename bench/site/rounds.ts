import { setTimeout as delay } from 'node:timers/promises';
import { ROUNDS } from '../../apps/api/src/platform/backplane/lost-events.ts';
import { inRunDir, type RunDatabase } from '../support/product.ts';
import { tableRow } from '../support/statistics.ts';
import { openSite } from './seated-site.ts';

/** Of `lost-events.ts`. */
const ROUND_SECONDS = 2;
const SECONDS = ROUNDS * ROUND_SECONDS;
const SETTLE_SECONDS = 20;

/** The statements with which a process compares its memory, by a part of their text. */
const COMPARISONS = {
  'numbers of rosters': 'roster_number as number from study_room',
  'numbers of chats': 'last_number as number from chat_counter',
  'seats of the connected': 'seat.is_connected as "isConnected" from seat join study_room',
  'blocks of the connected': 'blocked_id as "blockedId" from block',
} as const;

interface Asked {
  readonly name: string;
  readonly calls: number;
  readonly rows: number;
  readonly ms: number;
}

export interface Rounds {
  readonly rooms: number;
  readonly asked: readonly Asked[];
  /** Descents into an index and pages read from it, by its name. */
  readonly indexes: readonly {
    readonly name: string;
    readonly scans: number;
    readonly pages: number;
  }[];
}

/**
 * The queries of one process in a whole turn of the rounds, while nothing happens. Each of the rooms has one seat,
 * so that no learner is missing, whom the sweeps for silent ones would look for in the same indexes.
 */
export async function measureRounds(rooms: number): Promise<Rounds> {
  return inRunDir(async (runDir) => {
    const site = await openSite(runDir, { rooms, members: 1 });
    try {
      const { database, learners, env } = site;
      // Something to compare: each room has talked, and each learner has blocked another.
      await database.query(
        'insert into chat_counter (room_id, epoch, last_number) select id, epoch, 1 from study_room',
      );
      await database.query(
        `insert into block (blocker_id, blocked_id, created_at)
         select id, lead(id, 1, 1::bigint) over (order by id), now() from users where id > 1`,
      );
      await database.query('vacuum analyze');
      const player = site.startLearners();
      await player.ask({ do: 'host', env, shares: [learners] });
      await delay(SETTLE_SECONDS * 1_000);
      await database.query('select pg_stat_statements_reset()');
      const before = await readIndexes(database);
      await delay(SECONDS * 1_000);
      const after = await readIndexes(database);
      const asked = await readComparisons(database);
      await player.ask({ do: 'stop' });
      const indexes = [...after].map(([name, { scans, pages }]) => ({
        name,
        scans: scans - (before.get(name)?.scans ?? 0),
        pages: pages - (before.get(name)?.pages ?? 0),
      }));
      return { rooms, asked, indexes: indexes.filter(({ scans }) => scans > 0) };
    } finally {
      await site.stop();
    }
  });
}

async function readComparisons(database: RunDatabase): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const [name, part] of Object.entries(COMPARISONS)) {
    const [found] = await database.query<{ calls: string; rows: string; ms: number }>(
      `select coalesce(sum(calls), 0) as calls, coalesce(sum(rows), 0) as rows,
              coalesce(sum(total_exec_time), 0) as ms
       from pg_stat_statements
       where position($1 in regexp_replace(query, '\\s+', ' ', 'g')) > 0`,
      [part],
    );
    const { calls = 0, rows = 0, ms = 0 } = found ?? {};
    asked.push({ name, calls: Number(calls), rows: Number(rows), ms });
  }
  return asked;
}

async function readIndexes(database: RunDatabase) {
  // Sessions hand in their counters when they become idle, after at most ten seconds otherwise.
  const rows = await database.query<{ name: string; scans: string; pages: string }>(
    `select indexrelname as name, idx_scan as scans, idx_blks_read + idx_blks_hit as pages
     from pg_stat_user_indexes join pg_statio_user_indexes using (indexrelid, indexrelname)
     where pg_stat_user_indexes.relname in ('study_room', 'seat', 'chat_counter', 'block')`,
  );
  return new Map(
    rows.map(({ name, scans, pages }) => [name, { scans: Number(scans), pages: Number(pages) }]),
  );
}

export function printRounds({ rooms, asked, indexes }: Rounds): void {
  console.log(`one process, a learner in each of ${rooms} rooms, ${SECONDS} s\n`);
  console.log(tableRow('comparison', 'statements', 'rows', 'rows/s', 'ms in all'));
  console.log(tableRow('---', '---:', '---:', '---:', '---:'));
  for (const { name, calls, rows, ms } of asked) {
    console.log(tableRow(name, calls, rows, (rows / SECONDS).toFixed(1), ms.toFixed(1)));
  }
  console.log(`\n${tableRow('index', 'descents/s', 'pages/s')}`);
  console.log(tableRow('---', '---:', '---:'));
  for (const { name, scans, pages } of indexes) {
    console.log(tableRow(name, (scans / SECONDS).toFixed(1), (pages / SECONDS).toFixed(1)));
  }
}
