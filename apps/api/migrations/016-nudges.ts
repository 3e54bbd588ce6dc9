import { type Kysely, sql } from 'kysely';

/** A nudge waits for its learner on the page of the group, and on /main. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table group_nudge
      -- The group in which it was sent; null from a process that does not store it, then it is shown nowhere.
      add column group_id bigint references study_group (id) on delete cascade`.execute(db);
  await sql`create index group_nudge_group on group_nudge (group_id)`.execute(db);
}
