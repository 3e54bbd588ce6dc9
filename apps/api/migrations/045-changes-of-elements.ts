import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // No index has a column that each change of an element changes, and pages have room for the next
  // state: so a change writes its row alone (heap-only update).
  await sql`drop index board_element_deleted`.execute(db);
  await sql`
    create index board_element_deleted on board_element (room_id, epoch) where is_deleted`.execute(
    db,
  );
  await sql`alter table board_element set (fillfactor = 70)`.execute(db);
}
