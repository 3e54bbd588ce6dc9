import type { PomodoroPhase, UserId } from '@mogakgong/contract';
import { MINUTE_MS } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { epochMs, msBetween } from './learner-days.ts';

/** A phase of a schedule that a learner follows has ended. */
interface PhaseEnd {
  readonly userId: UserId;
  /** The phase that ended. */
  readonly kind: PomodoroPhase['kind'];
  readonly atMs: number;
}

/**
 * SQL for how many phases of a visit's schedule have ended at a moment, as `pomodoroPhase` of the contract counts
 * them: an odd number within a break.
 */
function endedPhases(at: RawBuilder<unknown>): RawBuilder<number> {
  const elapsedMs = msBetween(sql`schedule_started_at`, at);
  return sql`(2 * (${elapsedMs} / round_ms) + (${elapsedMs} % round_ms >= focus_ms)::integer)`;
}

/** The last phases that ended after one moment and until another, of learners in a schedule then. */
export async function findPhaseEnds(db: Database, since: Date, until: Date): Promise<PhaseEnd[]> {
  const { rows } = await sql<PhaseEnd>`
    select user_id as "userId", case ended % 2 when 1 then 'focus' else 'break' end as kind,
           (${epochMs(sql`schedule_started_at`)}
             + ended / 2 * round_ms + ended % 2 * focus_ms)::double precision as "atMs"
    from (
      select user_id, schedule_started_at, focus_ms, round_ms,
             ${endedPhases(sql`${until}::timestamptz`)} as ended,
             ${endedPhases(sql`greatest(${since}::timestamptz, schedule_started_at)`)} as ended_before
      from (
        select user_id, schedule_started_at, schedule_focus_minutes * ${MINUTE_MS}::bigint as focus_ms,
               (schedule_focus_minutes + schedule_break_minutes) * ${MINUTE_MS}::bigint as round_ms
        from visit
        where ended_at is null and schedule_started_at <= ${until} and schedule_ended_at is null
      ) as following
    ) as phases
    where ended > ended_before`.execute(db);
  return rows;
}
