import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // When a learner last changed how their days are counted.
  await sql`alter table study_record add column rule_changed_at timestamptz`.execute(db);
}
