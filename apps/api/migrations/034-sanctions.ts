import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sanction (
      id bigint generated always as identity primary key,
      -- Null once the account is deleted, while it stands (decision 062).
      user_id bigint references users (id) on delete set null,
      -- A keyed hash of the proven e-mail of a deleted account: who signs up with it again is sanctioned still.
      email_hash bytea,
      kind text not null check (kind in ('warn', 'muteChat', 'cameraOff', 'remove', 'suspend', 'ban')),
      -- By which the product decided by itself; null if a person did.
      rule text,
      -- What its learner is told.
      reason text not null,
      -- The case of reports that was decided. No foreign key: cases are deleted earlier.
      case_id bigint,
      -- Where it happened; of 'remove' the room that cannot be entered. No foreign key: rooms may go.
      room_id bigint check (kind <> 'remove' or room_id is not null),
      -- Moderators, whose accounts may be deleted; null for the product itself.
      decided_by bigint,
      imposed_at timestamptz not null,
      -- Null for one without end; of a warning when it was given.
      ends_at timestamptz,
      lifted_at timestamptz,
      lifted_by bigint,
      -- When its learner confirmed that they have read it; null again after each change they are told of.
      acknowledged_at timestamptz,
      appeal_text text,
      appealed_at timestamptz,
      appeal_answer text,
      appeal_outcome text check (appeal_outcome in ('upheld', 'lifted')),
      appeal_answered_at timestamptz,
      appeal_answered_by bigint,
      -- Processes read what has changed lately.
      changed_at timestamptz not null
    )`.execute(db);
  await sql`create index sanction_user on sanction (user_id, id)`.execute(db);
  await sql`create index sanction_change on sanction (changed_at)`.execute(db);
  await sql`create index sanction_standing on sanction (ends_at) where lifted_at is null`.execute(
    db,
  );
  await sql`create index sanction_email on sanction (email_hash) where email_hash is not null`.execute(
    db,
  );
  await sql`create index sanction_appeal on sanction (appealed_at)
            where appealed_at is not null and appeal_answered_at is null`.execute(db);
}
