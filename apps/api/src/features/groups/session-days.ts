import { GROUPS, type NextGroupSession, type UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { isBlockedPair } from '../blocks/index.ts';
import { isStaying } from './group-rows.ts';
import { groupTime } from './group-times.ts';

/** SQL for the calendar day of a moment in the zone of `g`. */
export const dayOf = (now: Date) => sql`(${now}::timestamptz at time zone g.time_zone)::date`;

/** SQL for the days of session `s` of `g` in a span of days: (day, starts_at, ends_at). */
export const daysOf = (
  from: RawBuilder<unknown>,
  to: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`(
  select span.day::date as day,
         ${groupTime(sql`span.day::date`, sql`s.from_minute`)} as starts_at,
         ${groupTime(
           sql`(span.day::date + (s.until_minute <= s.from_minute)::integer)`,
           sql`s.until_minute`,
         )} as ends_at
  from generate_series((${from})::timestamp, (${to})::timestamp, interval '1 day') as span (day)
  where extract(isodow from span.day) = any(s.days)
)`;

/** SQL for the times of day `d` of a session, in a JSON object, as the contract has them. */
export const timesOfDay = sql`
  'day', d.day::text,
  'startsAtMs', (extract(epoch from d.starts_at) * 1000)::bigint,
  'endsAtMs', (extract(epoch from d.ends_at) * 1000)::bigint`;

/** SQL for "the reader sees the member of the answer `said`". */
export const isShownTo = (readerId: UserId): RawBuilder<boolean> => sql<boolean>`
  (${isStaying(sql.ref('said.user_id'))} and not ${isBlockedPair(readerId, sql.ref('said.user_id'))})`;

/** SQL for the next session of `g`, or the one that goes on; null without one in the coming days. */
export const nextSession = (
  readerId: UserId,
  now: Date,
): RawBuilder<NextGroupSession | null> => sql`(
  select json_build_object(
    'sessionId', s.id, ${timesOfDay}, 'coming', answers.coming, 'isComing', answers.is_coming
  )
  from group_session as s
  cross join lateral ${daysOf(
    sql`${dayOf(now)} - 1`,
    sql`${dayOf(now)} + ${GROUPS.sessionDays}::integer`,
  )} as d
  cross join lateral (
    select count(*)::integer as coming, coalesce(bool_or(said.user_id = ${readerId}), false) as is_coming
    from group_session_day as said
    where said.session_id = s.id and said.day = d.day and said.is_coming and ${isShownTo(readerId)}
  ) as answers
  where s.group_id = g.id and d.ends_at > ${now}
  order by d.starts_at, s.id limit 1
)`;
