create table study_room (
  id bigint generated always as identity primary key,
  capacity integer not null check (capacity > 0),
  -- How many sit here. The check is the last guard of "never a 21st seat": matching never relies on it.
  occupancy integer not null default 0 check (occupancy between 0 and capacity),
  created_at timestamptz not null default now(),
  -- One gathering: it ends when the last learner leaves, and the next one begins.
  epoch integer not null default 1,
  -- Counts every change of a seat or its learner, so that a missed change is noticed.
  roster_number bigint not null default 0,
  -- How learners enter: `matched` by random matching and by the address of the room, `address` by the address
  -- only, `approval` after the host has agreed, `invitation` by a link; `closed` never again.
  -- This and `kept_out` are columns of the row that entering locks: a statement that waited for the lock
  -- checks the present values of that row, but not of other tables.
  entry text not null default 'matched'
    check (entry in ('matched', 'address', 'approval', 'invitation', 'closed')),
  -- The learners whom the host has removed.
  kept_out bigint[] not null default '{}'
) with (fillfactor = 80);
-- Matching: the fullest room with a free seat.
create index study_room_free on study_room (occupancy desc, id)
  where occupancy < capacity and entry = 'matched';
-- The totals of the site: few rooms of many are occupied.
create index study_room_occupied on study_room (id) include (occupancy) where occupancy > 0;

-- A learner sits in one place: the primary key is the learner. Some columns belong to other features, as
-- what they say ends with the seat.
-- Signs of life change `last_seen_at` of every seat again and again: no index has that column, and pages
-- have room for the next state, so that such a change writes its row alone (heap-only update).
create table seat (
  user_id bigint primary key references users (id) on delete cascade,
  room_id bigint not null references study_room (id),
  -- Differs in every visit: a media token names it, so that one of an earlier visit opens nothing.
  id bigint generated always as identity,
  -- The log-in that holds the seat: its end gives the seat up. No foreign key: expired log-ins are deleted.
  session_id uuid,
  entered_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- Whether a realtime connection of the learner is open.
  is_connected boolean not null default true,
  -- hosting: since when the camera has been off in a room that asks for it; null while it is on.
  camera_off_since timestamptz,
  -- hosting: whether the learner's page says that its camera sends a black picture.
  picture_is_black boolean not null default false
) with (fillfactor = 70);
-- The roster of a room.
create index seat_room on seat (room_id);
-- The seats that end with a log-in.
create index seat_session on seat (session_id);
-- The few without a connection, for which sweeps look every five seconds.
create index seat_lost on seat (user_id) where not is_connected;
-- The camera rule writes by the id of the visit, every five seconds.
create unique index seat_id on seat (id);

-- A deleted account takes its seat along: its room counts one learner less, and a change of the roster.
-- First the seat is locked, then the room, as in every other statement.
create function free_seat_of_deleted_user() returns trigger language plpgsql as $$
begin
  with gone as (
    delete from seat where user_id = old.id returning room_id
  )
  update study_room
  set occupancy = occupancy - 1,
      roster_number = roster_number + 1,
      epoch = epoch + (occupancy = 1)::integer
  from gone where study_room.id = gone.room_id;
  return old;
end $$;
create trigger free_seat before delete on users
  for each row execute function free_seat_of_deleted_user();

-- For other features: the present gathering of each room, and whether the room is closed for good.
create view gathering as
  select id as room_id, epoch, entry = 'closed' as is_closed from study_room;
-- For other features: the seated learners, each with the gathering of their room.
create view room_member as
  select seat.user_id, seat.room_id, room.epoch, seat.entered_at
  from seat join study_room as room on room.id = seat.room_id;
