-- A room with a host, beside its row of `study_room`.
create table hosted_room (
  room_id bigint primary key references study_room (id),
  -- Null after the host's account was deleted, until the rights have passed on.
  host_id bigint references users (id) on delete set null,
  name text not null,
  goal text not null,
  -- Whether it is listed; whether the host admits each guest; whether cameras must be on.
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
);
-- One open room a host.
create unique index hosted_room_host_open on hosted_room (host_id) where closed_at is null;
-- The rooms of a host whose account is deleted, closed ones too.
create index hosted_room_host on hosted_room (host_id);
-- The open rooms, and the deletion of those that closed long ago.
create index hosted_room_closed on hosted_room (closed_at);

-- Guests who have asked to be let in, were let in, or were removed; deleted when the room ends.
create table room_guest (
  user_id bigint not null references users (id) on delete cascade,
  room_id bigint not null references hosted_room (room_id) on delete cascade,
  status text not null check (status in ('waiting', 'admitted', 'declined', 'removed')),
  asked_at timestamptz not null,
  -- When the page of a waiting guest was last heard.
  seen_at timestamptz not null,
  primary key (user_id, room_id)
);
-- The guests of one room.
create index room_guest_room on room_guest (room_id);

-- For other features: the rooms that have a host now, with their rule of cameras.
create view open_hosted_room as
  select room_id, host_id, needs_camera from hosted_room where closed_at is null;
-- For rooms: the guests that a host or an invitation has let in.
create view admitted_guest as
  select room_id, user_id from room_guest where status = 'admitted';
