import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // What a learner studies, in their own words and order. Nobody else sees it.
  await sql`
    create table study_subject (
      id bigint generated always as identity,
      user_id bigint not null references users (id) on delete cascade,
      name text not null,
      -- The name without regard to case (subjectKey of the contract).
      name_key text not null,
      position integer not null,
      created_at timestamptz not null,
      -- When the learner removed it: its focus stays under its name, and the same name brings it back.
      removed_at timestamptz,
      primary key (user_id, id)
    )`.execute(db);
  await sql`
    create unique index study_subject_name on study_subject (user_id, name_key)
    where removed_at is null`.execute(db);

  // The part of a study_day that belongs to a subject; what is left of the day has none.
  await sql`
    create table study_subject_day (
      user_id bigint not null references users (id) on delete cascade,
      day date not null,
      subject_id bigint not null,
      focus_ms bigint not null check (focus_ms >= 0),
      primary key (user_id, day, subject_id),
      foreign key (user_id, subject_id) references study_subject (user_id, id)
    ) with (fillfactor = 80)`.execute(db);

  // The subject of a closed interval; only focus has one.
  await sql`
    alter table focus_interval add column subject_id bigint,
      add foreign key (user_id, subject_id) references study_subject (user_id, id)`.execute(db);
  // What the focus of an open visit is counted under. No reference: a visit that has ended keeps the number
  // of a subject that was deleted because nothing was counted under it.
  await sql`alter table visit add column subject_id bigint`.execute(db);
  // The learner's current subject, with which visits begin.
  await sql`
    alter table study_record add column subject_id bigint,
      add foreign key (user_id, subject_id) references study_subject (user_id, id)`.execute(db);
}
