import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table known_browser (
      user_id bigint not null references users (id) on delete cascade,
      -- SHA-256 of a random cookie: a log-in from another browser is mailed to the learner.
      token_hash bytea not null,
      last_used_at timestamptz not null,
      primary key (user_id, token_hash)
    )`.execute(db);
  await sql`create index known_browser_use on known_browser (last_used_at)`.execute(db);
}
