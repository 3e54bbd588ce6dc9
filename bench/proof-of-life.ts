import type { UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { visitsOfSeats } from '../apps/api/src/features/focus/index.ts';
import { createRoomsRepository } from '../apps/api/src/features/rooms/index.ts';
import type { Database } from '../apps/api/src/platform/database/index.ts';
import { onDatabase } from './support/database.ts';
import { tableRow } from './support/statistics.ts';

/**
 * What proof of life of seated learners costs the database in a minute: rows that are written, how
 * many of them without touching an index (HOT), bytes of write-ahead log, and time.
 *
 *     npm run bench:proof-of-life -- [learners]
 */
const LEARNERS = Number(process.argv[2] ?? 20_000);
const ROOM_MEMBERS = 20;
const ROUND_MS = 10_000;
const ROUNDS_A_MINUTE = 6;
const MINUTES = 5;
const FORGIVEN_MS = 90_000;

async function seatEverybody(database: Database, now: Date): Promise<UserId[]> {
  await sql`
    insert into users (email, nickname, password_hash, introduction, profile_image, social_provider)
    select 'bench' || n, 'bench' || n, '', '', '', 'LOCAL'
    from generate_series(1, ${LEARNERS}::integer) as n`.execute(database);
  await sql`
    insert into study_room (capacity, occupancy)
    select ${ROOM_MEMBERS}::integer, ${ROOM_MEMBERS}::integer
    from generate_series(1, ${LEARNERS / ROOM_MEMBERS}::integer)`.execute(database);
  const { rows } = await sql<{ userId: UserId }>`
    insert into seat (user_id, room_id, entered_at, last_seen_at)
    select id, (id - 1) / ${ROOM_MEMBERS}::integer + 1, ${now}, ${now} from users order by id
    returning user_id as "userId"`.execute(database);
  await sql`vacuum analyze seat`.execute(database);
  await sql`checkpoint`.execute(database);
  return rows.map(({ userId }) => userId);
}

interface Counters {
  readonly walBytes: number;
  readonly updated: number;
  readonly hot: number;
}

async function readCounters(database: Database): Promise<Counters> {
  await sql`select pg_stat_force_next_flush()`.execute(database);
  const { rows } = await sql<Counters>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as "walBytes",
           n_tup_upd as updated, n_tup_hot_upd as hot
    from pg_stat_user_tables where relname = 'seat'`.execute(database);
  const [counters] = rows;
  if (!counters) throw new Error('there are no counters');
  return counters;
}

async function run(database: Database): Promise<void> {
  let nowMs = Date.now();
  const userIds = await seatEverybody(database, new Date(nowMs));
  const repository = createRoomsRepository(database, visitsOfSeats);
  const before = await readCounters(database);
  const startMs = performance.now();
  for (let round = 0; round < MINUTES * ROUNDS_A_MINUTE; round += 1) {
    nowMs += ROUND_MS;
    const now = new Date(nowMs);
    const signs = userIds.map((userId) => ({ userId, at: now }));
    await repository.touchSeats(signs, now, FORGIVEN_MS);
  }
  const ms = performance.now() - startMs;
  const after = await readCounters(database);
  const aMinute = (what: keyof Counters) => (after[what] - before[what]) / MINUTES;
  console.log(tableRow('learners', 'rows/min', 'of them HOT', 'WAL bytes/min', 'ms/min'));
  console.log(tableRow('---:', '---:', '---:', '---:', '---:'));
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  const cells = [aMinute('updated'), aMinute('hot'), aMinute('walBytes'), ms / MINUTES].map(whole);
  console.log(tableRow(whole(LEARNERS), ...cells));
}

// One connection, so that its counters are complete when they are read; a superuser's, for CHECKPOINT.
await onDatabase({ isSuperuser: true, poolSize: 1 }, run);
