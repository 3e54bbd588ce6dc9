import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // When the owner of the log-in last showed who they are: by logging in, or again since. The default
  // is for processes of the version before, which still run while this is applied.
  await sql`
    alter table login_session
      add column authenticated_at timestamptz not null default now()`.execute(db);
  await sql`update login_session set authenticated_at = created_at`.execute(db);
}
