import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // When the log-in began, or its refresh token was exchanged last: shown to its owner. The default is
  // for processes of the version before, which still run while this is applied.
  await sql`
    alter table login_session
      add column last_used_at timestamptz not null default now()`.execute(db);
  // A log-in ends 30 days after its last use, or earlier by its absolute limit.
  await sql`
    update login_session
    set last_used_at = greatest(created_at, expires_at - interval '30 days')`.execute(db);
}
