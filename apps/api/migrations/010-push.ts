import { type Kysely, sql } from 'kysely';

/** Notifications by Web Push (decision 139). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The occasions for which a learner wants notifications; no row for none.
    create table push_choice (
      user_id bigint primary key references users (id) on delete cascade,
      kinds text[] not null,
      -- Minutes after midnight by the learner's clock, between which nothing rings; both null for no such hours.
      quiet_from integer,
      quiet_to integer
    )`.execute(db);
  await sql`
    -- A browser that gets the notifications of a learner, known by its log-in.
    create table push_device (
      session_id uuid primary key references login_session (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade,
      -- The address at the push service of the browser.
      endpoint text not null unique,
      -- The public key of the browser, and the secret with which messages for it are encrypted.
      p256dh bytea not null,
      auth bytea not null,
      -- Which key of the site it accepts messages from: the number in site_key.
      key_number integer not null,
      added_at timestamptz not null
    )`.execute(db);
  await sql`create index push_device_user on push_device (user_id, added_at)`.execute(db);
  await sql`
    -- What was sent to a device, stored before sending, so that nothing is sent twice.
    create table push_sent (
      session_id uuid not null references push_device (session_id) on delete cascade,
      event text not null,
      user_id bigint not null references users (id) on delete cascade,
      sent_at timestamptz not null,
      primary key (session_id, event)
    )`.execute(db);
  await sql`create index push_sent_user on push_sent (user_id, sent_at)`.execute(db);
  await sql`
    -- The deletion of old ones.
    create index push_sent_at on push_sent (sent_at)`.execute(db);
  await sql`
    create view open_login as
    select id as session_id, expires_at from login_session where ended_at is null`.execute(db);
  await sql`
    create view learner_zone as select user_id, time_zone from study_record`.execute(db);
}
