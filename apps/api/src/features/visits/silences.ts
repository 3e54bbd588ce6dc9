import { type RawBuilder, sql } from 'kysely';
import { msBetween } from './day-pieces.ts';

/** The site records every ten seconds that it is up; a longer pause is an outage. */
const WATCH_PAUSE_MS = 30_000;
const OUTAGES_KEPT = '1 day';

/**
 * SQL for how long a learner has been silent, in milliseconds. Downtime of the site (all processes down, no
 * database) does not count: nobody could be heard.
 */
export function silentMs(
  lastSeenAt: RawBuilder<unknown>,
  now: Date | RawBuilder<unknown>,
): RawBuilder<number> {
  const moment = sql`${now}::timestamptz`;
  const from = sql`greatest(outage.began_at, ${lastSeenAt})`;
  const to = sql`least(outage.ended_at, ${moment})`;
  return sql`(
    ${msBetween(lastSeenAt, moment)} - coalesce((
      select sum(${msBetween(from, to)})::bigint
      from (
        select began_at, ended_at from life_outage where ended_at > ${lastSeenAt}
        union all
        select watched_at, ${moment} from life_watch
        where ${msBetween(sql`watched_at`, moment)} > ${WATCH_PAUSE_MS}
      ) as outage
      where ${from} < ${to}
    ), 0)
  )`;
}

/** SQL that records that the site is up, and an outage before it, if any. */
export function recordWatch(now: Date): RawBuilder<unknown> {
  return sql`
    with before as (
      select watched_at from life_watch where id = 1 for update
    ), noted as (
      insert into life_outage (began_at, ended_at)
      select watched_at, ${now} from before
      where ${msBetween(sql`watched_at`, sql`${now}`)} > ${WATCH_PAUSE_MS}
      on conflict (began_at) do nothing
    ), forgotten as (
      delete from life_outage where ended_at < ${now}::timestamptz - interval ${sql.lit(OUTAGES_KEPT)}
    )
    insert into life_watch (id, watched_at)
    -- Counts what was there before, so that it is read before it is overwritten.
    select 1, ${now} from (select count(*) from before) as read
    on conflict (id) do update set watched_at = excluded.watched_at`;
}
