import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // One row a learner: how their days are counted, and what their closed intervals add up to. The
  // latest day stands here too, so that "today" is one read.
  await sql`
    create table study_record (
      user_id bigint primary key references users (id) on delete cascade,
      time_zone text not null default 'Asia/Seoul',
      day_start_minutes integer not null default 0 check (day_start_minutes between 0 and 360),
      starts_on_entering boolean not null default true,
      focus_ms bigint not null default 0 check (focus_ms >= 0),
      away_ms bigint not null default 0 check (away_ms >= 0),
      attendance_days integer not null default 0,
      streak_days integer not null default 0,
      longest_streak_days integer not null default 0,
      last_attended_day date,
      latest_day date,
      latest_day_focus_ms bigint not null default 0,
      -- The end of the last closed interval: no other may begin before it.
      counted_until timestamptz
    ) with (fillfactor = 70)`.execute(db);

  // From entering to leaving. While it lasts, the row holds the one interval that runs.
  await sql`
    create table visit (
      id bigint generated always as identity primary key,
      user_id bigint not null references users (id) on delete cascade,
      room_id bigint not null references study_room (id),
      began_at timestamptz not null,
      ended_at timestamptz check (ended_at >= began_at),
      -- What runs, from 'since' on; after the visit what ran last.
      status text not null check (status in ('idle', 'focus', 'pause', 'away')),
      since timestamptz not null check (since >= began_at),
      -- What the learner comes back to, when the server found them away by their silence.
      returns_to text check (returns_to in ('focus', 'pause')),
      -- Sums over the closed intervals of the visit.
      focus_ms bigint not null default 0 check (focus_ms >= 0),
      away_ms bigint not null default 0 check (away_ms >= 0),
      time_zone text not null,
      day_start_minutes integer not null
    ) with (fillfactor = 70)`.execute(db);
  await sql`create unique index visit_open on visit (user_id) where ended_at is null`.execute(db);
  await sql`create index visit_user on visit (user_id, id)`.execute(db);
  await sql`
    insert into visit (user_id, room_id, began_at, status, since, time_zone, day_start_minutes)
    select user_id, room_id, entered_at, 'idle', entered_at, 'Asia/Seoul', 0 from seat
  `.execute(db);

  // Closed intervals only: rows are added and never changed. Each keeps the zone it was counted in,
  // so a learner who travels does not move the past.
  await sql`
    create table focus_interval (
      user_id bigint not null,
      started_at timestamptz not null,
      ended_at timestamptz not null check (ended_at > started_at),
      visit_id bigint not null references visit (id) on delete cascade,
      status text not null check (status in ('focus', 'pause', 'away')),
      is_silence boolean not null,
      time_zone text not null,
      day_start_minutes integer not null,
      primary key (user_id, started_at)
    )`.execute(db);
  await sql`create index focus_interval_visit on focus_interval (visit_id)`.execute(db);

  await sql`
    create table study_day (
      user_id bigint not null references users (id) on delete cascade,
      day date not null,
      focus_ms bigint not null check (focus_ms >= 0),
      away_ms bigint not null check (away_ms >= 0),
      primary key (user_id, day)
    ) with (fillfactor = 80)`.execute(db);

  // When the site last looked for signs of life, and when it could not: that silence is nobody's.
  await sql`
    create table life_watch (
      id integer primary key check (id = 1),
      watched_at timestamptz not null
    )`.execute(db);
  await sql`
    create table life_outage (
      began_at timestamptz primary key,
      ended_at timestamptz not null
    )`.execute(db);
}
