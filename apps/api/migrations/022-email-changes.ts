import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- An e-mail address that a learner wants instead of theirs, until they have opened the mail there.
    create table email_change (
      user_id bigint primary key references users (id) on delete cascade,
      new_email text not null,
      -- SHA-256 of the token in the link of the mail.
      token_hash bytea not null unique,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index email_change_expiry on email_change (expires_at)`.execute(db);
}
