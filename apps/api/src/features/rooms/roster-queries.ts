import type { RoomId, UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';

/** A learner's seat, with the gathering of its room. */
export interface Seat {
  readonly userId: UserId;
  readonly roomId: RoomId;
  /** Differs in every visit. */
  readonly id: number;
  /** The log-in that holds it. */
  readonly sessionId: string | null;
  readonly epoch: number;
  readonly isConnected: boolean;
}

/** A change of one seat, with its number in the room's roster. */
export interface SeatChange {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly number: number;
}

/** A seat without proof of life for some time. */
export interface SilentSeat {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly isConnected: boolean;
}

/** A moment at which a learner was seen or heard. */
export interface SignOfLife {
  readonly userId: UserId;
  readonly at: Date;
}

/** All members of a room at one moment. */
export interface Roster {
  readonly roomId: RoomId;
  /** The number of the last change that is included. */
  readonly number: number;
  readonly members: readonly { readonly userId: UserId; readonly isConnected: boolean }[];
}

/** Parts of a WITH clause that begin and end visits with the seats of a relation (`visits.ts` of focus). */
export type VisitsOfSeats = Record<
  'begin' | 'end',
  (seats: RawBuilder<unknown>) => RawBuilder<unknown>
>;

/**
 * How long a stored sign of life is kept while its learner is connected: with rounds ten seconds apart, each
 * seat is written every thirty seconds.
 */
const SIGN_KEPT_MS = 25_000;
/** After a longer silence a learner may have gone: the last sign is stored exactly. */
const QUIET_MS = 10_000;

/** Locks the seats of these learners until the transaction ends; returns the seated ones. */
export async function lockSeats(db: Database, userIds: readonly UserId[]): Promise<UserId[]> {
  const { rows } = await sql<{ userId: UserId }>`
    select user_id as "userId" from seat where user_id = any(${userIds}::bigint[])
    order by user_id for update`.execute(db);
  return rows.map(({ userId }) => userId);
}

/** The part of a statement that changed seats, with user_id and room_id of each. */
type Changes = 'gone' | 'changed';

/**
 * SQL for the rooms of changed seats, locked in the order of their ids. Every statement here locks seats
 * first, in the order of learners, then rooms, so that no deadlock can occur.
 */
function lockedRooms(changes: Changes): RawBuilder<unknown> {
  return sql`
    select study_room.id, here.learners
    from study_room join (
      select room_id, count(*)::integer as learners from ${sql.table(changes)} group by room_id
    ) as here on here.room_id = study_room.id
    order by study_room.id for no key update of study_room`;
}

/**
 * SQL that gives each change its number in its room's roster: of several in one statement the last has the
 * number that `counted` ended with.
 */
function numberedChanges(changes: Changes): RawBuilder<unknown> {
  return sql`
    select user_id as "userId", room_id as "roomId",
           roster_number + 1 - row_number() over (partition by room_id order by user_id desc) as number
    from ${sql.table(changes)} join counted on counted.id = room_id
    order by number`;
}

/**
 * A part of a WITH clause: `counted_update` (user_id, room_id, number) counts one more visible change of a
 * seated learner.
 * @param userId the learner, or SQL for one; null counts nothing.
 */
export function countOneUpdate(userId: UserId | RawBuilder<UserId>): RawBuilder<unknown> {
  return sql`
    counted_update as (
      update study_room set roster_number = roster_number + 1
      from seat where seat.user_id = ${userId} and study_room.id = seat.room_id
      returning seat.user_id, study_room.id as room_id, roster_number as number
    )`;
}

/**
 * The end of a statement, after its WITH parts: counts one more visible change of each learner in `changed`
 * (user_id, room_id), whose seats the transaction has locked, and selects the changes with their numbers.
 */
export const countChangedSeats: RawBuilder<SeatChange> = sql<SeatChange>`
  room as (${lockedRooms('changed')}),
  counted as (
    update study_room set roster_number = roster_number + room.learners
    from room where study_room.id = room.id
    returning study_room.id, roster_number
  )
  ${numberedChanges('changed')}`;

/** Queries on seats, for one and for many learners at once. */
export function createRosterQueries(db: Database, visits: VisitsOfSeats) {
  /**
   * Deletes the seats that `chosen` selects and locks, ends their visits, counts their rooms down and ends
   * emptied gatherings.
   * @param endedAt the end of their visits.
   */
  async function deleteSeats(
    chosen: RawBuilder<unknown>,
    endedAt: RawBuilder<unknown>,
  ): Promise<SeatChange[]> {
    const { rows } = await sql<SeatChange>`
      with chosen as (${chosen}), gone as (
        delete from seat using chosen where seat.user_id = chosen.user_id
        returning seat.user_id, seat.room_id, ${endedAt} as ended_at
      ), room as (${lockedRooms('gone')}), counted as (
        update study_room
        set occupancy = occupancy - room.learners,
            roster_number = roster_number + room.learners,
            epoch = epoch + (occupancy = room.learners)::integer
        from room where study_room.id = room.id
        returning study_room.id, roster_number
      ),
      ${visits.end(sql`gone`)}
      ${numberedChanges('gone')}`.execute(db);
    return rows;
  }

  return {
    /**
     * Gives up a seat, only the one of a visit if `seatId` is given; returns its change, or none without a
     * seat.
     */
    giveUpSeat: (userId: UserId, now: Date, seatId: number | null = null) =>
      deleteSeats(
        sql`
          select user_id from seat
          where user_id = ${userId} and id = coalesce(${seatId}::bigint, id) for update`,
        sql`${now}::timestamptz`,
      ),

    /** Gives up every seat of a room. */
    giveUpRoom: (roomId: RoomId, now: Date) =>
      deleteSeats(
        sql`select user_id from seat where room_id = ${roomId} order by user_id for update`,
        sql`${now}::timestamptz`,
      ),

    /** The next disconnected seats without proof of life since `since`, in the order of learners. */
    async findSilentSeats(since: Date, after: UserId | null, limit: number): Promise<UserId[]> {
      const { rows } = await sql<{ userId: UserId }>`
        select user_id as "userId" from seat
        where not is_connected and last_seen_at < ${since} and user_id > ${after ?? 0}
        order by user_id limit ${limit}`.execute(db);
      return rows.map(({ userId }) => userId);
    },

    /**
     * Gives up those of these seats that are disconnected without proof of life since `since`, as of the last
     * one.
     */
    giveUpSilentSeats: (userIds: readonly UserId[], since: Date) =>
      deleteSeats(
        sql`
          select user_id from seat
          where user_id = any(${userIds}::bigint[]) and not is_connected and last_seen_at < ${since}
          order by user_id for update skip locked`,
        sql`seat.last_seen_at`,
      ),

    /** The seats of these learners; missing without one. */
    async findSeats(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, Seat>> {
      const { rows } = await sql<Seat>`
        select seat.user_id as "userId", seat.room_id as "roomId", seat.id,
               seat.session_id as "sessionId", study_room.epoch,
               seat.is_connected as "isConnected"
        from seat join study_room on study_room.id = seat.room_id
        where seat.user_id = any(${userIds}::bigint[])`.execute(db);
      return new Map(rows.map((seat) => [seat.userId, seat]));
    },

    /**
     * Records proof of life of seated learners, except of those without any for longer than `graceMs`: their
     * silence must be settled first, and they are returned.
     * @param keptMs a sign less than this later than the stored one is not written.
     */
    async touchSeats(
      signs: readonly SignOfLife[],
      now: Date,
      graceMs: number,
      keptMs = SIGN_KEPT_MS,
    ): Promise<ReadonlySet<UserId>> {
      const [userIds, moments] = [signs.map(({ userId }) => userId), signs.map(({ at }) => at)];
      // After a clock was set back, stored moments lie in the future and would hide a silence.
      const { rows } = await sql<{ userId: UserId }>`
        with chosen as (
          select seat.user_id, sign.at,
                 sign.at - last_seen_at > make_interval(secs => ${graceMs / 1_000}) as is_long
          from seat join unnest(${userIds}::bigint[], ${moments}::timestamptz[]) as sign (user_id, at)
            on sign.user_id = seat.user_id
          where sign.at - last_seen_at >= make_interval(secs => ${keptMs / 1_000})
             or (sign.at > last_seen_at and sign.at < ${new Date(now.getTime() - QUIET_MS)})
             or last_seen_at > ${now}
          order by seat.user_id for no key update of seat
        ), touched as (
          update seat
          set last_seen_at = case
            when last_seen_at > ${now} then chosen.at else greatest(last_seen_at, chosen.at) end
          from chosen where seat.user_id = chosen.user_id and not is_long
        )
        select user_id as "userId" from chosen where is_long`.execute(db);
      return new Set(rows.map((row) => row.userId));
    },

    /** Records whether learners are connected; returns the seats that changed. */
    async setConnected(userIds: readonly UserId[], isConnected: boolean): Promise<SeatChange[]> {
      const { rows } = await sql<SeatChange>`
        with chosen as (
          select user_id from seat
          where user_id = any(${userIds}::bigint[])
            and ${isConnected ? sql`not is_connected` : sql`is_connected`}
          order by user_id for no key update
        ), changed as (
          update seat set is_connected = ${isConnected} from chosen
          where seat.user_id = chosen.user_id
          returning seat.user_id, seat.room_id
        ),
        ${countChangedSeats}`.execute(db);
      return rows;
    },

    /**
     * Examines the next `limit` seats after that of learner `after`.
     * @returns those without proof of life since `since`, youngest silence first, and the last examined
     *   learner; null after the last seat.
     */
    async findSilentAfter(after: UserId | null, limit: number, since: Date) {
      const { rows } = await sql<{ silent: SilentSeat[]; last: UserId; examined: number }>`
        with slice as (
          select * from seat where user_id > ${after ?? 0} order by user_id limit ${limit}
        )
        select max(user_id) as last, count(*) as examined,
               coalesce(
                 json_agg(json_build_object('userId', user_id, 'roomId', room_id,
                                            'isConnected', is_connected)
                          order by last_seen_at desc) filter (where last_seen_at < ${since}),
                 '[]'
               ) as silent
        from slice`.execute(db);
      const { silent = [], last = null, examined = 0 } = rows[0] ?? {};
      return { silent, last: examined < limit ? null : last };
    },

    /** The number of the last change of each room's roster, with its gathering. */
    async findRosterNumbers(roomIds: readonly RoomId[]) {
      const { rows } = await sql<{ roomId: RoomId; epoch: number; number: number }>`
        select id as "roomId", epoch, roster_number as number from study_room
        where id = any(${roomIds}::bigint[])`.execute(db);
      return rows;
    },

    /** The rosters of rooms, members in the order of arrival. */
    async findRosters(roomIds: readonly RoomId[]): Promise<Roster[]> {
      const { rows } = await sql<Roster>`
        select study_room.id as "roomId", roster_number as number,
               coalesce(
                 json_agg(json_build_object('userId', user_id, 'isConnected', is_connected)
                          order by entered_at, user_id) filter (where user_id is not null),
                 '[]'
               ) as members
        from study_room left join seat on seat.room_id = study_room.id
        where study_room.id = any(${roomIds}::bigint[])
        group by study_room.id`.execute(db);
      return rows;
    },
  };
}
