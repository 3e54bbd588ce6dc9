import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // When a press was made, as its browser says: one that a newer press overtook changes nothing. Null for
  // presses recorded by an older process.
  await sql`alter table timer_press add column made_at timestamptz`.execute(db);
}
