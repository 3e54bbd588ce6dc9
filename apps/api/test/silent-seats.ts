import { sql } from 'kysely';
import type { Database } from '../src/platform/database/index.ts';

const ROOM_MEMBERS = 20;
const ENTERED_BEFORE_MS = 60 * 60_000;
const SILENT_FOR_MS = 20 * 60_000;

/**
 * Seats `learners` learners who focused for forty minutes and have been disconnected for twenty. Their
 * accounts have the addresses `N@silent`.
 */
export async function seatSilently(database: Database, learners: number, now: Date): Promise<void> {
  const enteredAt = new Date(now.getTime() - ENTERED_BEFORE_MS);
  const seenAt = new Date(now.getTime() - SILENT_FOR_MS);
  await database.transaction().execute(async (transaction) => {
    await sql`set local statement_timeout = 0`.execute(transaction);
    await sql`
      insert into users (email, nickname, password_hash, introduction, profile_image, social_provider)
      select n || '@silent', 'silent' || n, '', '', '', 'LOCAL'
      from generate_series(1, ${learners}::integer) as n`.execute(transaction);
    await sql`
      with silent as (
        select id, (row_number() over (order by id) - 1) / ${ROOM_MEMBERS}::integer as room
        from users where email like '%@silent'
      ), opened as (
        insert into study_room (capacity, occupancy)
        select ${ROOM_MEMBERS}::integer, count(*) from silent group by room
        returning id
      ), numbered as (select id, row_number() over (order by id) - 1 as room from opened),
      seated as (
        insert into seat (user_id, room_id, entered_at, last_seen_at, is_connected)
        select silent.id, numbered.id, ${enteredAt}, ${seenAt}, false
        from silent join numbered using (room) returning user_id, room_id
      ), recorded as (insert into study_record (user_id) select user_id from seated)
      insert into visit (user_id, room_id, began_at, status, since, time_zone, day_start_minutes)
      select user_id, room_id, ${enteredAt}, 'focus', ${enteredAt}, 'Asia/Seoul', 0 from seated`.execute(
      transaction,
    );
  });
  await sql`analyze seat, visit, study_room, study_record, users`.execute(database);
}
