-- From entering to leaving. While it lasts, the row holds the one interval that runs.
create table visit (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  room_id bigint not null references study_room (id),
  began_at timestamptz not null,
  ended_at timestamptz check (ended_at >= began_at),
  -- The status that runs, from `since` on; after the visit the one that ran last.
  status text not null check (status in ('idle', 'focus', 'pause', 'away')),
  since timestamptz not null check (since >= began_at),
  -- The status that a learner returns to whom the server found away by their silence; null otherwise.
  returns_to text check (returns_to in ('focus', 'pause')),
  -- hosting: in the status "away", whether the camera rule of the room set it; then it ends with the camera.
  away_by_camera boolean not null default false,
  -- The subject of the visit's focus. No foreign key: a visit that has ended keeps the number of a subject
  -- that was deleted because nothing was counted under it.
  subject_id bigint,
  -- Sums over the closed intervals of the visit.
  focus_ms bigint not null default 0 check (focus_ms >= 0),
  away_ms bigint not null default 0 check (away_ms >= 0),
  -- The learner's rule of days at the beginning of the visit.
  time_zone text not null,
  day_start_minutes integer not null
) with (fillfactor = 70);
-- One open visit a learner.
create unique index visit_open on visit (user_id) where ended_at is null;
-- The visits of one learner, newest first.
create index visit_user on visit (user_id, id);
-- The few found away by their silence: the sweep looks for those who are heard again.
create index visit_silent on visit (user_id) where ended_at is null and returns_to is not null;

-- Presses of the timer that were made already: a browser that does not know whether one arrived sends it
-- again under the same id. They belong to the seat and are deleted with it.
create table timer_press (
  user_id bigint not null references users (id) on delete cascade
    references seat (user_id) on delete cascade,
  id uuid not null,
  received_at timestamptz not null,
  -- When the press was made, as its browser says: one that a newer press overtook changes nothing.
  made_at timestamptz,
  primary key (user_id, id)
);

-- The subjects of a learner, in their own words and order. Nobody else sees them.
-- The deletion of a user deletes visits with their intervals first, then subjects, as the foreign keys on
-- `users` are followed in the order of their creation: `visit` stands before this table.
create table study_subject (
  id bigint generated always as identity,
  user_id bigint not null references users (id) on delete cascade,
  name text not null,
  -- The name without regard to case (subjectKey of the contract).
  name_key text not null,
  position integer not null,
  created_at timestamptz not null,
  -- When the learner removed it: its focus stays under its name, and the same name brings it back.
  removed_at timestamptz,
  primary key (user_id, id)
);
-- One subject a name.
create unique index study_subject_name on study_subject (user_id, name_key)
  where removed_at is null;

-- One row a learner: how their days are counted, and the sums of their closed intervals. The latest day
-- stands here too, so that "today" is one read.
create table study_record (
  user_id bigint primary key references users (id) on delete cascade,
  -- Settings: the zone and the start of a day, and whether focus begins on entering.
  time_zone text not null default 'Asia/Seoul',
  day_start_minutes integer not null default 0 check (day_start_minutes between 0 and 360),
  starts_on_entering boolean not null default true,
  -- When the learner last changed zone or start of the day.
  rule_changed_at timestamptz,
  -- The current subject, with which visits begin.
  subject_id bigint,
  -- Sums over all closed intervals.
  focus_ms bigint not null default 0 check (focus_ms >= 0),
  away_ms bigint not null default 0 check (away_ms >= 0),
  -- Days with focus, and how many of them in a row up to `last_attended_day`.
  attendance_days integer not null default 0,
  streak_days integer not null default 0,
  longest_streak_days integer not null default 0,
  last_attended_day date,
  -- The latest row of `study_day`.
  latest_day date,
  latest_day_focus_ms bigint not null default 0,
  -- The end of the last closed interval: no other may begin before it.
  counted_until timestamptz,
  foreign key (user_id, subject_id) references study_subject (user_id, id)
) with (fillfactor = 70);

-- Closed intervals only: rows are added and never changed.
create table focus_interval (
  user_id bigint not null,
  started_at timestamptz not null,
  ended_at timestamptz not null check (ended_at > started_at),
  visit_id bigint not null references visit (id) on delete cascade,
  status text not null check (status in ('focus', 'pause', 'away')),
  -- Away because the learner was silent, not because they said so.
  is_silence boolean not null,
  -- The rule of days by which it was counted: a learner who travels does not move the past.
  time_zone text not null,
  day_start_minutes integer not null,
  -- Only focus has one.
  subject_id bigint,
  primary key (user_id, started_at),
  foreign key (user_id, subject_id) references study_subject (user_id, id)
);
-- The intervals of one visit, and their deletion with it.
create index focus_interval_visit on focus_interval (visit_id);

-- The sums of a learner's day.
create table study_day (
  user_id bigint not null references users (id) on delete cascade,
  day date not null,
  focus_ms bigint not null check (focus_ms >= 0),
  away_ms bigint not null check (away_ms >= 0),
  primary key (user_id, day)
) with (fillfactor = 80);

-- The part of a `study_day` that belongs to a subject; the rest of the day has none.
create table study_subject_day (
  user_id bigint not null references users (id) on delete cascade,
  day date not null,
  subject_id bigint not null,
  focus_ms bigint not null check (focus_ms >= 0),
  primary key (user_id, day, subject_id),
  foreign key (user_id, subject_id) references study_subject (user_id, id)
) with (fillfactor = 80);

create table study_goal (
  user_id bigint primary key references users (id) on delete cascade,
  -- The focus that the learner wants every day; null without a target.
  target_minutes integer check (target_minutes between 1 and 1440),
  -- Whether others in the room see how much of it is done.
  is_visible boolean not null,
  -- The tasks are those of this day, and gone on any other.
  day date not null,
  tasks jsonb not null,
  -- Counts the saves, so that a notice of an older one can be dropped.
  version bigint not null default 1
) with (fillfactor = 80);

-- When the site last looked for signs of life, and when it could not: that silence is nobody's.
create table life_watch (
  id integer primary key check (id = 1),
  watched_at timestamptz not null
);
create table life_outage (
  began_at timestamptz primary key,
  ended_at timestamptz not null
);

-- For blocks: when each learner was in a room; for visits that last until infinity.
create view stay as
  select user_id, room_id, began_at, coalesce(ended_at, 'infinity') as ended_at from visit;
