import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Counts the saves of a goal, so that what is told of an older one can be dropped.
  await sql`alter table study_goal add column version bigint not null default 1`.execute(db);
}
