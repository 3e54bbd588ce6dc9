import { type Kysely, sql } from 'kysely';

/**
 * The timer of a learner who joined the schedule of their room follows its phases (decision 137). A tile shows the
 * subject of a learner who wants that.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table visit
      -- A copy of the schedule that the visit follows; null without one. Its phases follow from these, so
      -- that nothing is written when one begins.
      add column schedule_started_at timestamptz,
      add column schedule_focus_minutes integer,
      add column schedule_break_minutes integer,
      -- When it was ended or replaced for everybody; no later phase counts.
      add column schedule_ended_at timestamptz,
      -- The running break is the schedule's, and its next focus ends it; in a silence, the status to return to.
      add column is_scheduled_break boolean not null default false`.execute(db);
  await sql`
    alter table study_record
      -- Whether others in the room see the subject on the learner's tile.
      add column shows_subject boolean not null default false`.execute(db);
  await sql`
    -- The few whose past phases are stored from time to time.
    create index visit_following on visit (user_id)
      where ended_at is null and schedule_started_at is not null`.execute(db);
}
