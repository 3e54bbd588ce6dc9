import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // What moderators decide about: everything reported about one learner until it is decided. The
  // numbers of moderators stay when their accounts are gone, as in the audit log.
  await sql`
    create table report_case (
      id bigint generated always as identity primary key,
      reported_id bigint not null references users (id) on delete cascade,
      status text not null default 'open' check (status in ('open', 'claimed', 'decided')),
      opened_at timestamptz not null,
      last_report_at timestamptz not null,
      claimed_by bigint,
      claimed_at timestamptz,
      decided_by bigint,
      decided_at timestamptz,
      decision text,
      decision_reason text,
      check ((status = 'decided') = (decided_at is not null))
    )`.execute(db);
  // One undecided case a learner: reports that arrive together meet in it.
  await sql`
    create unique index report_case_undecided on report_case (reported_id) where status <> 'decided'
  `.execute(db);
  await sql`create index report_case_reported on report_case (reported_id)`.execute(db);
  await sql`create index report_case_last_report on report_case (last_report_at)`.execute(db);

  await sql`
    create table report (
      id bigint generated always as identity primary key,
      case_id bigint not null references report_case (id) on delete cascade,
      -- Null once the account of the reporter is deleted.
      reporter_id bigint references users (id) on delete set null,
      reason text not null check (reason in ('ABUSE', 'OBSCENE_CONTENT', 'DISTURBANCE')),
      description text not null,
      room_id bigint not null,
      created_at timestamptz not null,
      -- How much it counts, 0 to 1, by what was known of the reporter then.
      weight real not null check (weight between 0 and 1),
      -- Of then: the last messages that the reporter could read, and who was there.
      messages jsonb not null,
      statuses jsonb not null,
      unique (case_id, reporter_id)
    )`.execute(db);
  await sql`create index report_reporter on report (reporter_id, id)`.execute(db);
  await sql`create index report_created on report (created_at)`.execute(db);
  // Finds what evidence says about a learner whose account is deleted.
  await sql`
    create index report_people on report using gin (messages jsonb_path_ops, statuses jsonb_path_ops)
  `.execute(db);

  await sql`
    create table report_still (
      report_id bigint primary key references report (id) on delete cascade,
      -- WebP, at most 640 by 360.
      image bytea not null,
      taken_at timestamptz not null
    )`.execute(db);
}
