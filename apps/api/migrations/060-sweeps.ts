import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Since when the bytes of a picture are being removed, which no transaction holds: until the row is
  // gone, or for some seconds, an upload of the same picture waits. A process that is killed in between
  // leaves the row, and they are removed again.
  await sql`alter table image add column removing_since timestamptz`.execute(db);
  await sql`create index image_used on image (used_at)`.execute(db);
  // The sweep looks for the owner of each picture that it may delete.
  await sql`create index users_profile_image on users (profile_image)`.execute(db);
  // The camera rule writes by the id of the visit, every five seconds.
  await sql`create unique index seat_id on seat (id)`.execute(db);
}
