import type { UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { todayQuery } from '../src/features/focus/index.ts';
import { totalsQuery } from '../src/features/statistics/index.ts';
import type { Database } from '../src/platform/database/index.ts';

/** Few intervals, and many. */
export const HISTORY_SIZES = [10_000, 2_000_000] as const;
/**
 * Limits for `budgetedReads` (design §8): pages touched, and the ratio of the planner's costs for large to
 * small.
 */
export const BUFFERS_MAX = 8;
export const COST_RATIO_MAX = 1.2;

/** The most frequent reads, for one learner. */
export function budgetedReads(userId: UserId, now: Date): Record<string, RawBuilder<unknown>> {
  return {
    today: todayQuery([userId], now),
    'totals, attendance, streak': totalsQuery(userId, now),
  };
}

/** Learners of a made-up history, and the intervals that each adds on a day. */
const LEARNERS = 1_000;
const INTERVALS_A_DAY = 10;

/**
 * Fills a database with a thousand learners who have studied day after day, ten minutes at a time, and study
 * now. Checks and triggers are disabled, the shape is that of the product.
 * @param intervals a multiple of 10,000.
 * @returns one of the learners.
 */
export async function fillHistory(database: Database, intervals: number): Promise<UserId> {
  const days = intervals / LEARNERS / INTERVALS_A_DAY;
  return database.connection().execute(async (db) => {
    const run = (statement: RawBuilder<unknown>) => statement.execute(db);
    await run(sql`set statement_timeout = '10min'`);
    await run(sql`set session_replication_role = replica`);
    await run(sql`truncate users, study_room, visit, focus_interval, study_day, study_record
                  restart identity cascade`);
    await run(sql`
      insert into users (email, nickname, password_hash, introduction, profile_image, social_provider)
      select n || '@history', 'h' || n, '', '', '', 'LOCAL' from generate_series(1, ${LEARNERS}::integer) as n`);
    await run(sql`insert into study_room (capacity) values (20)`);
    const noon = sql`date_trunc('day', now(), 'Asia/Seoul') - make_interval(days => day) + interval '12 hours'`;
    await run(sql`
      insert into visit (user_id, room_id, began_at, ended_at, status, since, focus_ms, time_zone, day_start_minutes)
      select n, 1, ${noon}, ${noon} + interval '100 minutes', 'focus', ${noon} + interval '90 minutes',
             ${INTERVALS_A_DAY * 600_000}::integer, 'Asia/Seoul', 0
      from generate_series(1, ${LEARNERS}::integer) as n, generate_series(1, ${days}::integer) as day`);
    await run(sql`
      insert into focus_interval (user_id, started_at, ended_at, visit_id, status, is_silence, time_zone, day_start_minutes)
      select user_id, began_at + make_interval(mins => 10 * part), began_at + make_interval(mins => 10 * part + 10),
             id, 'focus', false, time_zone, 0
      from visit, generate_series(0, ${INTERVALS_A_DAY - 1}::integer) as part`);
    await run(sql`
      insert into study_day select user_id, (began_at at time zone 'Asia/Seoul')::date, focus_ms, 0 from visit`);
    await run(sql`
      insert into study_record (user_id, focus_ms, attendance_days, streak_days, longest_streak_days,
                                last_attended_day, latest_day, latest_day_focus_ms, counted_until)
      select user_id, sum(focus_ms), count(*), count(*), count(*),
             max((began_at at time zone 'Asia/Seoul')::date), max((began_at at time zone 'Asia/Seoul')::date),
             max(focus_ms), max(ended_at)
      from visit group by user_id`);
    await run(sql`
      insert into visit (user_id, room_id, began_at, status, since, time_zone, day_start_minutes)
      select n, 1, now(), 'focus', now(), 'Asia/Seoul', 0 from generate_series(1, ${LEARNERS}::integer) as n`);
    await run(sql`set session_replication_role = origin`);
    await run(sql`reset statement_timeout`);
    for (const table of ['users', 'visit', 'focus_interval', 'study_day', 'study_record']) {
      await run(sql`vacuum analyze ${sql.table(table)}`);
    }
    return (LEARNERS / 2) as UserId;
  });
}

/** Cost of a query: pages touched, the planner's estimate, and the time. */
export interface QueryCost {
  readonly buffers: number;
  readonly plannedCost: number;
  readonly ms: number;
}

interface Plan {
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly 'Total Cost': number;
}

const literalOf = (value: unknown): string => {
  if (Array.isArray(value)) return `'{${value.join(',')}}'`;
  return value instanceof Date ? `'${value.toISOString()}'` : `'${value}'`;
};

/**
 * The cost of a query with a plan made for its values, or with the generic plan that PostgreSQL keeps for a
 * prepared statement.
 */
export async function costOf(
  database: Database,
  query: RawBuilder<unknown>,
  plan: 'custom' | 'generic' = 'custom',
): Promise<QueryCost> {
  const { sql: text, parameters } = query.compile(database);
  return database.connection().execute(async (db) => {
    await sql`set plan_cache_mode = ${sql.lit(`force_${plan}_plan`)}`.execute(db);
    await sql.raw(`prepare measured as ${text}`).execute(db);
    const values = parameters.map(literalOf).join(',');
    const { rows } = await sql
      .raw<Explained>(`explain (analyze, buffers, format json) execute measured (${values})`)
      .execute(db);
    await sql`deallocate measured`.execute(db);
    await sql`reset plan_cache_mode`.execute(db);
    return costIn(rows[0]);
  });
}

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: Plan; readonly 'Execution Time': number }];
}

function costIn(explained: Explained | undefined): QueryCost {
  const [explanation] = explained?.['QUERY PLAN'] ?? [];
  if (!explanation) throw new Error('there is no plan');
  const { Plan: plan } = explanation;
  return {
    buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    plannedCost: plan['Total Cost'],
    ms: explanation['Execution Time'],
  };
}
