import { type Kysely, sql } from 'kysely';

/** Rooms with a host are found by what is studied in them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- One of STUDY_CATEGORIES; an older process opens rooms without one.
    alter table hosted_room add column category text not null default 'other'`.execute(db);
}
