import type { PomodoroLengths, PomodoroSchedule, RoomId, UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { type Database, retryConflict } from '../../platform/database/index.ts';
import { countOneUpdate, type SeatChange } from '../rooms/index.ts';

interface ScheduleRow extends PomodoroLengths {
  readonly roomId: RoomId;
  readonly startedAt: Date;
}

/** The schedule of a room as one learner sees it. */
export interface OwnView {
  readonly schedule: PomodoroSchedule | null;
  /** Whether they may change and end it. */
  readonly mayEnd: boolean;
}

/** A learner's change of the schedule of their room. */
interface ScheduleChange extends OwnView {
  /** Its number in the room's roster; null if nothing changed. */
  readonly change: SeatChange | null;
}

/** The new schedule; the same object to leave it unchanged. */
export type ScheduleEdit = (before: OwnView, nowMs: number) => PomodoroSchedule | null;

/** A learner's request to change the schedule of their room. */
interface AskedEdit {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly now: Date;
}

async function findSchedules(db: Database, roomIds: readonly RoomId[], lock = sql``) {
  const { rows } = await sql<ScheduleRow>`
    select room_id as "roomId", focus_minutes as "focusMinutes", break_minutes as "breakMinutes",
           started_at as "startedAt"
    from room_pomodoro join study_room on study_room.id = room_id
    where room_id = any(${roomIds}::bigint[]) and room_pomodoro.epoch = study_room.epoch
    ${lock}`.execute(db);
  return new Map(
    rows.map(({ roomId, focusMinutes, breakMinutes, startedAt }) => [
      roomId,
      { focusMinutes, breakMinutes, startedAtMs: startedAt.getTime() },
    ]),
  );
}

/** True if no other learner has a prior right to the schedule (decision 092). */
async function mayEnd(db: Database, userId: UserId, roomId: RoomId): Promise<boolean> {
  const { rows } = await sql`
    select from room_pomodoro as p join visit on visit.id = p.started_in
    where p.room_id = ${roomId} and visit.ended_at is null and visit.user_id <> ${userId}
      and not exists (
        select from open_hosted_room where room_id = ${roomId} and host_id = ${userId}
      )`.execute(db);
  return rows.length === 0;
}

async function findOwnView(db: Database, userId: UserId, roomId: RoomId): Promise<OwnView> {
  const schedule = (await findSchedules(db, [roomId])).get(roomId) ?? null;
  return { schedule, mayEnd: schedule === null || (await mayEnd(db, userId, roomId)) };
}

/**
 * The running schedule of a room; it cannot end before the transaction does. Its own row is locked too: of locked
 * rows, the statement reads what was stored while it waited. It misses a schedule that began meanwhile.
 */
export async function lockSchedule(db: Database, roomId: RoomId): Promise<PomodoroSchedule | null> {
  const lock = sql`for no key update of study_room, room_pomodoro`;
  return (await findSchedules(db, [roomId], lock)).get(roomId) ?? null;
}

const lockRoom = (db: Database, roomId: RoomId) =>
  sql`select from study_room where id = ${roomId} for no key update`.execute(db);

/**
 * Locks the learner's seat, then the visits whose timers follow the schedule, and then the room, like all changes
 * of them; false without a seat there.
 */
async function lockOwnRoom(db: Database, userId: UserId, roomId: RoomId): Promise<boolean> {
  const seat = await sql`
    select from seat where user_id = ${userId} and room_id = ${roomId} for key share`.execute(db);
  if (seat.rows.length === 0) return false;
  await sql`
    select from visit
    where user_id in (select user_id from seat where room_id = ${roomId}) and ended_at is null
      and schedule_started_at is not null
    order by user_id for no key update`.execute(db);
  await lockRoom(db, roomId);
  return true;
}

/** Stores a schedule, or none, and ends the one before for the timers that follow it. */
async function store(
  db: Database,
  { userId, roomId, now }: AskedEdit,
  schedule: PomodoroSchedule | null,
): Promise<SeatChange | null> {
  const written = schedule
    ? sql`
        insert into room_pomodoro (room_id, epoch, focus_minutes, break_minutes, started_at,
                                   started_in)
        select id, epoch, ${schedule.focusMinutes}::integer, ${schedule.breakMinutes}::integer,
               ${new Date(schedule.startedAtMs)}::timestamptz,
               (select id from visit where user_id = ${userId} and ended_at is null)
        from study_room where id = ${roomId}
        on conflict (room_id) do update
        set epoch = excluded.epoch, focus_minutes = excluded.focus_minutes,
            break_minutes = excluded.break_minutes, started_at = excluded.started_at,
            started_in = coalesce(
              (select id from visit where id = room_pomodoro.started_in and ended_at is null),
              excluded.started_in)`
    : sql`delete from room_pomodoro where room_id = ${roomId}`;
  const { rows } = await sql<SeatChange>`
    with written as (${written}), released as (
      update visit set schedule_ended_at = ${now}::timestamptz
      where user_id in (select user_id from seat where room_id = ${roomId}) and ended_at is null
        and schedule_started_at is not null and schedule_ended_at is null
    ), ${countOneUpdate(userId)}
    select user_id as "userId", room_id as "roomId", number from counted_update`.execute(db);
  return rows[0] ?? null;
}

/** The only queries on schedules of rooms. */
export function createPomodoroRepository(database: Database) {
  return {
    /** The schedules of the present gatherings of rooms. */
    findSchedules: (roomIds: readonly RoomId[]) => findSchedules(database, roomIds),

    /** The schedule of a room, and the rights of a seated learner to it. */
    findOwnView: (userId: UserId, roomId: RoomId) => findOwnView(database, userId, roomId),

    /** Changes the schedule of a learner's own room, serialised; null without a seat there. */
    edit(asked: AskedEdit, edit: ScheduleEdit): Promise<ScheduleChange | null> {
      const { userId, roomId, now } = asked;
      return retryConflict(() =>
        database.transaction().execute(async (transaction) => {
          if (!(await lockOwnRoom(transaction, userId, roomId))) return null;
          const before = await findOwnView(transaction, userId, roomId);
          const schedule = edit(before, now.getTime());
          if (schedule === before.schedule) return { ...before, change: null };
          const change = await store(transaction, asked, schedule);
          return { schedule, mayEnd: true, change };
        }),
      );
    },
  };
}
