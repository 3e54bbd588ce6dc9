import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Proof of life changes `last_seen_at` of every seat again and again: no index may hold it, and each
  // page keeps room, so that such an update stays in its page (HOT).
  await sql`drop index seat_last_seen`.execute(db);
  await sql`alter table seat set (fillfactor = 70)`.execute(db);

  // The few that repeated queries look for among all.
  await sql`create index seat_lost on seat (user_id) where not is_connected`.execute(db);
  await sql`
    create index visit_silent on visit (user_id) where ended_at is null and returns_to is not null
  `.execute(db);
  await sql`
    create index study_room_occupied on study_room (id) include (occupancy) where occupancy > 0
  `.execute(db);
}
