import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // The target stays; the tasks are those of `day`, and gone on any other.
  await sql`
    create table study_goal (
      user_id bigint primary key references users (id) on delete cascade,
      target_minutes integer check (target_minutes between 1 and 1440),
      is_visible boolean not null,
      day date not null,
      tasks jsonb not null
    ) with (fillfactor = 80)`.execute(db);

  // A schedule belongs to one gathering: with the room's next epoch it has ended.
  await sql`
    create table room_pomodoro (
      room_id bigint primary key references study_room (id) on delete cascade,
      epoch integer not null,
      focus_minutes integer not null check (focus_minutes > 0),
      break_minutes integer not null check (break_minutes > 0),
      started_at timestamptz not null
    )`.execute(db);
}
