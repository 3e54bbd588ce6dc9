import {
  DEFAULT_TIME_ZONE,
  type FocusClock,
  type FocusSettings,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import { type Kysely, sql } from 'kysely';
import { type Database, retryConflict } from '../../platform/database/index.ts';
import { countUpdate, type SeatChange } from '../rooms/index.ts';
import type { FocusTables } from './focus.tables.ts';
import { storeClosed } from './roll-up.ts';
import { countsSince } from './running.ts';
import { noteWatch, silentMs } from './silences.ts';
import { createTimeZones } from './time-zones.ts';
import type { OpenVisit, Silence, VisitChange } from './visit-change.ts';
import { beginVisits } from './visits-of-seats.ts';

/** An open visit as it is stored, and the seat that it belongs to. */
export interface StoredVisit {
  readonly visitId: number;
  readonly roomId: RoomId;
  readonly visit: OpenVisit;
  readonly silence: Silence;
}

interface VisitRow {
  readonly visitId: number;
  readonly roomId: RoomId;
  readonly status: FocusClock['status'];
  readonly since: Date;
  readonly returnsTo: OpenVisit['returnsTo'];
  readonly focusMs: number;
  readonly awayMs: number;
  readonly timeZone: string;
  readonly dayStartMinutes: number;
  readonly lastSeenAt: Date;
  readonly silentMs: number;
}

/** The only queries that change visits and intervals; each of a learner holds their seat first. */
export function createFocusQueries(db: Kysely<FocusTables>) {
  return {
    /** Makes every other change of this learner's seat and visit wait; false without a seat. */
    async lockSeat(userId: UserId): Promise<boolean> {
      const { rows } = await sql`select from seat where user_id = ${userId} for update`.execute(db);
      return rows.length > 0;
    },

    /** The open visit of a learner whose seat is locked. */
    async findOpenVisit(userId: UserId, now: Date): Promise<StoredVisit | null> {
      const { rows } = await sql<VisitRow>`
        select visit.id as "visitId", seat.room_id as "roomId", visit.status, ${countsSince} as since,
               visit.returns_to as "returnsTo", visit.focus_ms as "focusMs", visit.away_ms as "awayMs",
               visit.time_zone as "timeZone", visit.day_start_minutes as "dayStartMinutes",
               seat.last_seen_at as "lastSeenAt",
               ${silentMs(sql`seat.last_seen_at`, now)} as "silentMs"
        from visit join seat on seat.user_id = visit.user_id
        left join study_record as record on record.user_id = visit.user_id
        where visit.user_id = ${userId} and visit.ended_at is null`.execute(db);
      return rows[0] ? storedVisit(rows[0]) : null;
    },

    /**
     * Stores a change of an open visit, what it closed, and the sums over it, in one statement.
     * @param seenAt the proof of life that came with it.
     * @returns its number in the room's roster.
     */
    async saveChange(
      userId: UserId,
      visitId: number,
      { visit, closed }: VisitChange,
      seenAt: Date | null,
    ): Promise<SeatChange> {
      const { clock, returnsTo, timeZone, dayStartMinutes } = visit;
      const { rows } = await sql<SeatChange>`
        with closed as (
          select ${userId}::bigint as user_id, ${visitId}::bigint as visit_id, ended.*
          from unnest(
            ${closed.map((one) => one.status)}::text[],
            ${closed.map((one) => new Date(one.startedAtMs))}::timestamptz[],
            ${closed.map((one) => new Date(one.endedAtMs))}::timestamptz[],
            ${closed.map((one) => one.isSilence)}::boolean[],
            ${closed.map((one) => one.timeZone)}::text[],
            ${closed.map((one) => one.dayStartMinutes)}::integer[]
          ) as ended (status, started_at, ended_at, is_silence, time_zone, day_start_minutes)
        ),
        ${storeClosed},
        saved as (
          update visit
          set status = ${clock.status}, since = ${new Date(clock.sinceMs)},
              returns_to = ${returnsTo}, focus_ms = ${clock.focusMs}, away_ms = ${clock.awayMs},
              time_zone = ${timeZone}, day_start_minutes = ${dayStartMinutes}
          where id = ${visitId}
        ),
        seen as (
          update seat set last_seen_at = greatest(last_seen_at, ${seenAt})
          where user_id = ${userId} and ${seenAt}::timestamptz is not null
        ),
        ${countUpdate(userId)}
        select user_id as "userId", room_id as "roomId", number from counted_update`.execute(db);
      const [change] = rows;
      if (!change) throw new Error('a visit was changed without a seat');
      return change;
    },

    /** Notes proof of life of a learner whose seat is locked. */
    async touchSeat(userId: UserId, seenAt: Date): Promise<void> {
      await sql`
        update seat set last_seen_at = greatest(last_seen_at, ${seenAt})
        where user_id = ${userId}`.execute(db);
    },

    /** Closes the visit of a seat that is kept, and begins another in it. */
    async renewVisit(userId: UserId, visitId: number, endedAtMs: number, now: Date): Promise<void> {
      await sql`
        update visit set ended_at = ${new Date(endedAtMs)} where id = ${visitId}`.execute(db);
      const seat = sql`(
        select user_id, room_id, ${now}::timestamptz as entered_at from seat where user_id = ${userId}
      )`;
      await beginVisits(seat).execute(db);
    },

    async saveSettings(userId: UserId, settings: FocusSettings): Promise<void> {
      const { timeZone, dayStartMinutes, startsOnEntering } = settings;
      await sql`
        insert into study_record (user_id, time_zone, day_start_minutes, starts_on_entering)
        values (${userId}, ${timeZone}, ${dayStartMinutes}, ${startsOnEntering})
        on conflict (user_id) do update
        set time_zone = excluded.time_zone, day_start_minutes = excluded.day_start_minutes,
            starts_on_entering = excluded.starts_on_entering`.execute(db);
    },
  };
}

export type FocusQueries = ReturnType<typeof createFocusQueries>;

function storedVisit(row: VisitRow): StoredVisit {
  const { visitId, roomId, status, focusMs, awayMs, returnsTo, timeZone, dayStartMinutes } = row;
  const clock = { status, focusMs, awayMs, sinceMs: row.since.getTime() };
  return {
    visitId,
    roomId,
    visit: { clock, returnsTo, timeZone, dayStartMinutes },
    silence: { sinceMs: row.lastSeenAt.getTime(), lastsMs: row.silentMs },
  };
}

interface ClockRow extends FocusClock {
  readonly userId: UserId;
}

export function createFocusRepository(database: Database) {
  const db = database.withTables<FocusTables>();
  const timeZones = createTimeZones(database);
  return {
    /** Runs work in one transaction: all of it is stored, or nothing. */
    transact: <Result>(work: (queries: FocusQueries) => Promise<Result>): Promise<Result> =>
      retryConflict(() =>
        db.transaction().execute((transaction) => work(createFocusQueries(transaction))),
      ),

    /** The clocks of those who sit somewhere. */
    async findClocks(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, FocusClock>> {
      const { rows } = await sql<Omit<ClockRow, 'sinceMs'> & { since: Date }>`
        select visit.user_id as "userId", visit.status, visit.focus_ms as "focusMs",
               visit.away_ms as "awayMs", ${countsSince} as since
        from visit left join study_record as record on record.user_id = visit.user_id
        where visit.user_id = any(${userIds}::bigint[]) and visit.ended_at is null`.execute(db);
      return new Map(
        rows.map(({ userId, status, focusMs, awayMs, since: from }) => [
          userId,
          { status, focusMs, awayMs, sinceMs: from.getTime() },
        ]),
      );
    },

    async findSettings(userId: UserId): Promise<FocusSettings> {
      const { rows } = await sql<FocusSettings>`
        select time_zone as "timeZone", day_start_minutes as "dayStartMinutes",
               starts_on_entering as "startsOnEntering"
        from study_record where user_id = ${userId}`.execute(db);
      return rows[0] ?? { timeZone: DEFAULT_TIME_ZONE, dayStartMinutes: 0, startsOnEntering: true };
    },

    /** Whether PostgreSQL can count in this time zone. */
    knowsTimeZone: (timeZone: string): Promise<boolean> => timeZones.has(timeZone),

    /** Learners at work or in a break who have been silent for longer than `afterMs`. */
    async findSilent(now: Date, afterMs: number): Promise<UserId[]> {
      const { rows } = await sql<{ userId: UserId }>`
        select seat.user_id as "userId"
        from seat join visit on visit.user_id = seat.user_id and visit.ended_at is null
        where seat.last_seen_at < ${new Date(now.getTime() - afterMs)}
          and visit.status in ('focus', 'pause')
          and ${silentMs(sql`seat.last_seen_at`, now)} > ${afterMs}
        order by seat.user_id`.execute(db);
      return rows.map((row) => row.userId);
    },

    /** Learners found away by silence who have been heard since, and when. */
    async findReturned(): Promise<{ userId: UserId; at: Date }[]> {
      const { rows } = await sql<{ userId: UserId; at: Date }>`
        select seat.user_id as "userId", seat.last_seen_at as at
        from visit join seat on seat.user_id = visit.user_id
        where visit.ended_at is null and visit.returns_to is not null
          and seat.last_seen_at > visit.since
        order by seat.user_id`.execute(db);
      return rows;
    },

    /** Notes that somebody looks for signs of life now. */
    async noteWatch(now: Date): Promise<void> {
      await noteWatch(now).execute(db);
    },
  };
}

export type FocusRepository = ReturnType<typeof createFocusRepository>;
