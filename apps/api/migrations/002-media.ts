import { type Kysely, sql } from 'kysely';

/** Rooms are spread over several media servers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A LiveKit of the site, on one machine. It is open while it is neither draining nor down.
    create table media_server (
      id integer generated always as identity primary key,
      -- As the API processes reach it: its API, and its signalling, which browsers reach by way of our port.
      url text not null unique,
      api_key text not null,
      -- Encrypted with a key made from AUTH_SECRET.
      sealed_secret bytea not null,
      -- Added by the operator's command; others come and go with LIVEKIT_URL.
      is_added boolean not null,
      -- From here on its rooms move elsewhere even if learners sit in them. It takes no new ones before.
      drained_by timestamptz,
      -- Since when it has not answered.
      down_since timestamptz,
      -- Learners who sit in its rooms, as last counted, and half a room for each room that it got since.
      load integer not null default 0
    )`.execute(db);
  await sql`
    -- The media server of a room. A room gets one when the first learner needs it.
    create table media_room (
      room_id bigint primary key references study_room (id) on delete cascade,
      server_id integer not null references media_server (id) on delete cascade
    )`.execute(db);
  await sql`create index media_room_server on media_room (server_id)`.execute(db);
}
