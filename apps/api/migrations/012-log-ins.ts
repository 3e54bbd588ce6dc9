import { type Kysely, sql } from 'kysely';

/** A log-in keeps its latest refresh token and the one before in its own row; all log in once more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop table refresh_token`.execute(db);
  await sql`truncate login_session`.execute(db);
  await sql`
    alter table login_session
      -- SHA-256 of the latest refresh token.
      add column token_hash bytea not null,
      -- SHA-256 of the token that was exchanged for it: may come again, as the answer may be lost.
      add column previous_hash bytea,
      -- When it ends without being used; never later than the absolute limit of a log-in.
      add column expires_at timestamptz not null`.execute(db);
  await sql`create index login_session_expiry on login_session (expires_at)`.execute(db);
}
