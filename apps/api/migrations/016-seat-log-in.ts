import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // The log-in that holds the seat: its end gives the seat up. Without a foreign key, as expired
  // log-ins are deleted; null for seats taken before this migration.
  await sql`alter table seat add column session_id uuid`.execute(db);
  await sql`create index seat_session on seat (session_id)`.execute(db);
}
