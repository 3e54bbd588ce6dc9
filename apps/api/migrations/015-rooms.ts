import { type Kysely, sql } from 'kysely';

/** An empty evening can say when others are usually there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- The most learners that were seated at once in each hour of the last weeks: counts alone, of nobody.
    create table busy_hour (
      hour timestamptz primary key,
      learners integer not null
    )`.execute(db);
}
