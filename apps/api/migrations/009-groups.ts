import { type Kysely, sql } from 'kysely';

/** Study groups: their members, rooms that stay, attendance and sessions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await makeGroups(db);
  await makeAttendance(db);
  await makeSessions(db);
  await letRoomsStay(db);
  await offerRooms(db);
}

async function makeGroups(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table study_group (
      id bigint generated always as identity primary key,
      -- The room that stays.
      room_id bigint not null unique references study_room (id),
      name text not null,
      goal text not null,
      category text not null check (category in (
        'csat', 'civil_service', 'certificate', 'development', 'language', 'university', 'other')),
      exam_day date,
      -- The pinned notice; empty for none.
      notice text not null default '',
      notice_at timestamptz,
      -- When the days of the group begin, for every member; they stay as they were made.
      time_zone text not null,
      day_start_minutes integer not null check (day_start_minutes between 0 and 360),
      -- The rule of attendance: of both kinds, the numbers of the other one are kept. Days of the week from 1, Monday.
      rule_kind text not null check (rule_kind in ('minutes', 'present')),
      rule_days integer[] not null,
      rule_minutes integer not null,
      rule_from integer not null,
      rule_until integer not null,
      -- Focus of all members together in a week; null for none.
      week_goal_minutes integer,
      is_listed boolean not null,
      needs_approval boolean not null,
      has_ranks boolean not null,
      -- The secret of the link. Leaders read it again and again, so it is not hashed.
      invitation text not null unique,
      made_at timestamptz not null,
      -- Attendance up to this day is stored in group_day and changes no more.
      settled_day date not null,
      -- Focus of all members on these days, also of those who have left.
      settled_ms bigint not null default 0
    )`.execute(db);
  await sql`
    create table group_member (
      group_id bigint not null references study_group (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade,
      is_leader boolean not null,
      joined_at timestamptz not null,
      -- The day of the group on which they joined: nothing is missed on it.
      joined_day date not null,
      refuses_nudges boolean not null default false,
      -- The secret in the address of their calendar of sessions; null without one.
      calendar text unique,
      -- Kept days in a row up to the settled day of the group.
      kept_row integer not null default 0,
      primary key (group_id, user_id)
    )`.execute(db);
  await sql`create index group_member_user on group_member (user_id)`.execute(db);
  await sql`
    -- Learners who ask to enter; a declined one stays for a while, so that they do not ask again at once.
    create table group_request (
      user_id bigint not null references users (id) on delete cascade,
      group_id bigint not null references study_group (id) on delete cascade,
      asked_at timestamptz not null,
      declined_at timestamptz,
      primary key (user_id, group_id)
    )`.execute(db);
  await sql`create index group_request_group on group_request (group_id)`.execute(db);
  await sql`
    -- When one learner last nudged another, so that it is once a day.
    create table group_nudge (
      from_id bigint not null references users (id) on delete cascade,
      to_id bigint not null references users (id) on delete cascade,
      nudged_at timestamptz not null,
      primary key (from_id, to_id)
    )`.execute(db);
  await sql`create index group_nudge_to on group_nudge (to_id)`.execute(db);
}

async function makeAttendance(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Days on which members said beforehand that they do not come.
    create table group_excuse (
      user_id bigint not null references users (id) on delete cascade,
      group_id bigint not null,
      day date not null,
      said_at timestamptz not null,
      primary key (user_id, group_id, day),
      foreign key (group_id, user_id) references group_member (group_id, user_id) on delete cascade
    )`.execute(db);
  await sql`
    -- Attendance of the days that are over, as the rule of that time judged it.
    create table group_day (
      user_id bigint not null references users (id) on delete cascade,
      group_id bigint not null,
      day date not null,
      focus_ms bigint not null check (focus_ms >= 0),
      status text not null check (status in ('kept', 'partly', 'missed', 'excused', 'none')),
      settled_at timestamptz not null,
      primary key (user_id, group_id, day),
      foreign key (group_id, user_id) references group_member (group_id, user_id) on delete cascade
    )`.execute(db);
  // For their deletion.
  await sql`create index group_day_settled on group_day (settled_at)`.execute(db);
  await sql`create index group_excuse_said on group_excuse (said_at)`.execute(db);
}

async function makeSessions(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A time at which a group meets, on days of the week from 1, Monday, in minutes after midnight of its zone.
    create table group_session (
      id bigint generated always as identity primary key,
      group_id bigint not null references study_group (id) on delete cascade,
      days integer[] not null,
      from_minute integer not null,
      -- Not after from_minute: on the next day.
      until_minute integer not null,
      made_at timestamptz not null
    )`.execute(db);
  await sql`create index group_session_group on group_session (group_id)`.execute(db);
  await sql`
    -- A member and a session of one day: who said that they come, and who was in the group's room.
    create table group_session_day (
      user_id bigint not null references users (id) on delete cascade,
      session_id bigint not null references group_session (id) on delete cascade,
      day date not null,
      group_id bigint not null,
      starts_at timestamptz not null,
      ends_at timestamptz not null,
      is_coming boolean not null,
      -- When they were reminded; set before the reminder is sent, so that it is sent once.
      reminded_at timestamptz,
      -- When they were first seen in the room during it.
      came_at timestamptz,
      primary key (user_id, session_id, day),
      foreign key (group_id, user_id) references group_member (group_id, user_id) on delete cascade
    )`.execute(db);
  await sql`create index group_session_day_session on group_session_day (session_id, day)`.execute(
    db,
  );
  // Those to remind.
  await sql`
    create index group_session_day_due on group_session_day (starts_at)
    where is_coming and reminded_at is null`.execute(db);
}

async function letRoomsStay(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- \`group\`: by the members of the group of the room.
    alter table study_room drop constraint study_room_entry_check,
      add constraint study_room_entry_check check (
        entry in ('matched', 'address', 'approval', 'invitation', 'group', 'closed')) not valid`.execute(
    db,
  );
  await sql`alter table study_room validate constraint study_room_entry_check`.execute(db);
  await sql`
    -- The room of a study group. It stays, and its host is the leader who has sat there longest; null without one.
    alter table hosted_room add column is_standing boolean not null default false`.execute(db);
  await sql`drop index hosted_room_host_open`.execute(db);
  await sql`
    -- One open room of an evening a host.
    create unique index hosted_room_host_open on hosted_room (host_id)
      where closed_at is null and not is_standing`.execute(db);
  await sql`
    -- A release that does not know standing rooms ends rooms that are empty for long.
    create function keep_standing_room() returns trigger language plpgsql as $$
    begin
      new.empty_since := null;
      new.host_absent_since := null;
      return new;
    end $$`.execute(db);
  await sql`
    create trigger standing_room_stays before update of empty_since, host_absent_since on hosted_room
      for each row when (new.is_standing) execute function keep_standing_room()`.execute(db);
  await sql`
    -- For rooms: the guests that a host or an invitation has let in, and the members of the room's group.
    create or replace view admitted_guest as
      select room_id, user_id from room_guest where status = 'admitted'
      union all
      select study_group.room_id, group_member.user_id
      from study_group join group_member on group_member.group_id = study_group.id`.execute(db);
  await sql`
    -- For hosting: the leaders of the group of a room.
    create view group_leader as
      select study_group.room_id, group_member.user_id
      from study_group join group_member on group_member.group_id = study_group.id
      where group_member.is_leader`.execute(db);
}

async function offerRooms(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- hosting: the answer of this learner to being asked to follow an absent host; null if they were not asked.
    alter table seat add column host_offer text check (host_offer in ('made', 'declined'))`.execute(
    db,
  );
}
