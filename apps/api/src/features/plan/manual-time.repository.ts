import type { ErrorName, ManualTime, ManualTimeId, UserId } from '@mogakgong/contract';
import { HOUR_MS, MANUAL_TIME } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Database, retryConflict } from '../../platform/database/index.ts';
import { closedTouching, learnerDay, msBetween, runningIntervals } from '../focus/index.ts';
import { lockLearner } from '../users/index.ts';

/** The rule of a learner's days. */
interface DayRule {
  readonly timeZone: string;
  readonly dayStartMinutes: number;
}

/** Study time to store; `manualId` is that of the one it replaces, or null. */
export interface ManualDraft extends ManualTime {
  readonly manualId: ManualTimeId | null;
  readonly rule: DayRule;
  readonly now: Date;
}

interface Stored {
  readonly manualId: ManualTimeId | null;
  /** Why nothing was stored. */
  readonly refusal: ErrorName | null;
}

/** Entered days are neighbours at most, by whatever rule they were entered. */
const DAYS_NEAR = 3;

/** The queries that store study time entered by hand. */
export function createManualTimeRepository(database: Database) {
  return {
    /** Stores a stretch unless a rule forbids it; those of one learner are stored one after the other. */
    save: (userId: UserId, draft: ManualDraft): Promise<Stored> =>
      retryConflict(() =>
        database.transaction().execute(async (transaction) => {
          // The statement after it sees what was stored by those it waited for.
          const { rows } = await sql<{ madeAt: Date }>`
            select made_at as "madeAt"
            from (${lockLearner(sql`${userId}`, null, 'no key update')}) as learner`.execute(
            transaction,
          );
          const [learner] = rows;
          if (!learner) throw new Error('a learner has no account');
          return saveDraft(transaction, userId, draft, learner.madeAt);
        }),
      ),

    /** @returns whether there was one. */
    async remove(userId: UserId, manualId: ManualTimeId): Promise<boolean> {
      const { numAffectedRows } = await sql`
        delete from manual_time where user_id = ${userId} and id = ${manualId}`.execute(database);
      return numAffectedRows === 1n;
    },
  };
}

/**
 * SQL for whether 24 hours with a part of a new stretch, which is in `stretch`, have more than two days may have. They
 * touch a third day only if the time zone was changed. The fullest begin with a stretch.
 */
const isFullOfDays = (from: RawBuilder<unknown>) => sql`exists (
  select from stretch as first join stretch as other
    on other.started_at >= first.started_at and other.started_at < first.started_at + interval '24 hours'
  where first.started_at > ${from} - interval '24 hours' and first.started_at <= ${from}
  group by first.started_at
  having sum(${msBetween(sql`other.started_at`, sql`least(other.ended_at, first.started_at + interval '24 hours')`)})
    > ${2 * MANUAL_TIME.dayMaxHours * HOUR_MS}::bigint
)`;

/** SQL for what an error names. */
const refuse = (name: ErrorName) => sql`${name}::text`;

async function saveDraft(
  db: Database,
  userId: UserId,
  draft: ManualDraft,
  madeAt: Date,
): Promise<Stored> {
  const { manualId, subjectId, rule, now } = draft;
  const [from, to] = [draft.startedAtMs, draft.endedAtMs].map(
    (ms) => sql`${new Date(ms)}::timestamptz`,
  ) as [RawBuilder<unknown>, RawBuilder<unknown>];
  const dayRule = {
    timeZone: sql`${rule.timeZone}::text`,
    dayStartMinutes: sql`${rule.dayStartMinutes}::integer`,
  };
  const overlaps = sql`started_at < ${to} and ended_at > ${from}`;
  const { rows } = await sql<Stored>`
    with span as (
      select own.day, own.ends_at, today.day as today
      from ${learnerDay(from, dayRule)} as own
      cross join ${learnerDay(sql`${now}::timestamptz`, dayRule)} as today
    ), near as (
      select manual_time.* from manual_time cross join span
      where user_id = ${userId} and id is distinct from ${manualId}
        and manual_time.day between span.day - ${DAYS_NEAR}::integer and span.day + ${DAYS_NEAR}::integer
    ), stretch as (
      select started_at, ended_at from near union all select ${from}, ${to}
    ), verdict as (
      select span.day, case
        when ${manualId}::bigint is not null and not exists (
          select from manual_time where user_id = ${userId} and id = ${manualId}
        ) then ${refuse('manualTimeNotFound')}
        when ${subjectId}::bigint is not null and not exists (
          select from own_subject where user_id = ${userId} and id = ${subjectId}
        ) then ${refuse('subjectNotFound')}
        when ${from} < ${madeAt} or span.day < span.today - ${MANUAL_TIME.daysBack}::integer
          then ${refuse('manualTimeTooOld')}
        when ${to} > span.ends_at then ${refuse('manualTimeOverDays')}
        when exists (select from near where ${overlaps})
          or exists (select from ${closedTouching(userId, from, to)} as closed where ${overlaps})
          or exists (select from ${runningIntervals(userId, now)} as running where ${overlaps})
          then ${refuse('manualTimeOverlaps')}
        when ${msBetween(from, to)} + coalesce((
          select sum(${msBetween(sql`started_at`, sql`ended_at`)}) from near where near.day = span.day
        ), 0) > ${MANUAL_TIME.dayMaxHours * HOUR_MS}::bigint or ${isFullOfDays(from)}
          then ${refuse('manualTimeDayFull')}
      end as refusal
      from span
    ), changed as (
      update manual_time
      set started_at = ${from}, ended_at = ${to}, day = verdict.day, subject_id = ${subjectId},
          time_zone = ${rule.timeZone}, entered_at = ${now}
      from verdict
      where user_id = ${userId} and id = ${manualId} and refusal is null
      returning id
    ), added as (
      insert into manual_time (user_id, started_at, ended_at, day, time_zone, subject_id, entered_at)
      select ${userId}, ${from}, ${to}, day, ${rule.timeZone}, ${subjectId}, ${now}
      from verdict where refusal is null and ${manualId}::bigint is null
      returning id
    )
    select refusal, coalesce((select id from changed), (select id from added)) as "manualId"
    from verdict`.execute(db);
  const [stored] = rows;
  if (!stored) throw new Error('a learner has no day');
  return stored;
}
