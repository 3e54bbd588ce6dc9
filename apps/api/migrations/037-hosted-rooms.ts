import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // How one gets into a room: `matched` by random matching and by its address, `address` by its address
  // only, `approval` after its host has said yes, `invitation` by a link; `closed` for nobody, for ever.
  // `kept_out` are accounts that the host has removed. Both are columns of the row that entering locks: a
  // statement that waited for the lock checks the present values of that row, but not of other tables.
  await sql`
    alter table study_room
      add column entry text not null default 'matched'
        check (entry in ('matched', 'address', 'approval', 'invitation', 'closed')),
      add column kept_out bigint[] not null default '{}'`.execute(db);
  await sql`drop index study_room_free`.execute(db);
  await sql`
    create index study_room_free on study_room (occupancy desc, id)
    where occupancy < capacity and entry = 'matched'`.execute(db);

  await sql`
    create table hosted_room (
      room_id bigint primary key references study_room (id),
      -- Null after the host's account was deleted, until the rights have passed on.
      host_id bigint references users (id) on delete set null,
      name text not null,
      goal text not null,
      is_public boolean not null,
      needs_approval boolean not null,
      needs_camera boolean not null,
      -- The secret of the invitation link. Its host reads it again and again, so it is not hashed.
      invitation text not null unique,
      opened_at timestamptz not null,
      -- Since when nobody sits there, and since when the host does not; kept by a repeated job.
      empty_since timestamptz,
      host_absent_since timestamptz,
      closed_at timestamptz
    )`.execute(db);
  // One open room a host.
  await sql`
    create unique index hosted_room_host_open on hosted_room (host_id) where closed_at is null
  `.execute(db);
  await sql`create index hosted_room_host on hosted_room (host_id)`.execute(db);
  await sql`create index hosted_room_closed on hosted_room (closed_at)`.execute(db);

  // Who has asked to be let in, was let in, or was removed; deleted when the room ends.
  await sql`
    create table room_guest (
      user_id bigint not null references users (id) on delete cascade,
      room_id bigint not null references hosted_room (room_id) on delete cascade,
      status text not null check (status in ('waiting', 'admitted', 'declined', 'removed')),
      asked_at timestamptz not null,
      -- When the page of who waits was last heard.
      seen_at timestamptz not null,
      primary key (user_id, room_id)
    )`.execute(db);
  await sql`create index room_guest_room on room_guest (room_id)`.execute(db);

  // Since when the camera of a learner has been off in a room that asks for it; null while it is on.
  await sql`alter table seat add column camera_off_since timestamptz`.execute(db);
}
