import { type Kysely, sql } from 'kysely';

/** A learner's plan: tasks of later days, exam days, a target for the week, and study time entered by hand. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Unfinished tasks of the stored day are carried over when a later one is read.
    alter table study_goal
      -- The focus that the learner wants from Monday to Sunday; null without a target.
      add column week_minutes integer check (week_minutes between 1 and 10080),
      -- Tasks as [{text, day, weekdays}]: of one later day, or repeated on weekdays (0 is Monday).
      add column plan jsonb not null default '[]',
      -- As [{name, day}].
      add column exams jsonb not null default '[]'`.execute(db);
  await sql`
    alter table visit
      -- The learner's own explanation, which nobody else reads.
      add column note text`.execute(db);
  await sql`
    -- Study time that no clock counted. Sums of focus, attendance, streaks, titles and leaderboards do not have it.
    create table manual_time (
      id bigint generated always as identity primary key,
      user_id bigint not null references users (id) on delete cascade,
      started_at timestamptz not null,
      ended_at timestamptz not null check (ended_at > started_at),
      -- The day of the learner that it lies in, by their rule of days when it was entered.
      day date not null,
      time_zone text not null,
      subject_id bigint,
      entered_at timestamptz not null,
      foreign key (user_id, subject_id) references study_subject (user_id, id) on delete set null (subject_id)
    )`.execute(db);
  await sql`create index manual_time_day on manual_time (user_id, day)`.execute(db);
  await sql`
    -- For the features that show it beside focus.
    create view manual_study as
      select id, user_id, day, started_at, ended_at, time_zone, subject_id from manual_time`.execute(
    db,
  );
  await sql`
    -- The subjects that time can be entered under.
    create view own_subject as
      select user_id, id from study_subject where removed_at is null`.execute(db);
}
