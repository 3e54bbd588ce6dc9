import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // The check is the last guard of "never a 21st seat": matching never relies on it.
  await sql`
    create table study_room (
      id bigint generated always as identity primary key,
      capacity integer not null check (capacity > 0),
      occupancy integer not null default 0 check (occupancy between 0 and capacity),
      created_at timestamptz not null default now()
    ) with (fillfactor = 80)`.execute(db);
  await sql`
    create index study_room_free on study_room (occupancy desc, id) where occupancy < capacity
  `.execute(db);

  // A learner sits in one place: the primary key is the learner.
  await sql`
    create table seat (
      user_id bigint primary key references users (id) on delete cascade,
      room_id bigint not null references study_room (id),
      entered_at timestamptz not null,
      last_seen_at timestamptz not null
    )`.execute(db);
  await sql`create index seat_room on seat (room_id)`.execute(db);
  await sql`create index seat_last_seen on seat (last_seen_at)`.execute(db);
}
