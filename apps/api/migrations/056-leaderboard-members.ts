import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Who is shown on boards: a row while they choose to be.
  await sql`
    create table leaderboard_member (
      user_id bigint primary key references users (id) on delete cascade,
      joined_at timestamptz not null
    )`.execute(db);
}
