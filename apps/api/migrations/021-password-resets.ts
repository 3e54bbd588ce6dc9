import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table password_reset (
      -- SHA-256 of the token in the link of the mail.
      token_hash bytea primary key,
      user_id bigint not null references users (id) on delete cascade,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index password_reset_user on password_reset (user_id)`.execute(db);
  await sql`create index password_reset_expiry on password_reset (expires_at)`.execute(db);
}
