-- A schedule belongs to one gathering: with the room's next epoch it has ended.
create table room_pomodoro (
  room_id bigint primary key references study_room (id) on delete cascade,
  epoch integer not null,
  focus_minutes integer not null check (focus_minutes > 0),
  break_minutes integer not null check (break_minutes > 0),
  started_at timestamptz not null,
  -- The visit that started it: while that lasts, only its learner and the host may end it for all.
  started_in bigint references visit (id) on delete set null
);
-- The deletion of visits.
create index room_pomodoro_started_in on room_pomodoro (started_in) where started_in is not null;
