import {
  DEFAULT_TIME_ZONE,
  type FocusClock,
  type FocusSettings,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Database, retryConflict } from '../../platform/database/index.ts';
import { countUpdates, type SeatChange } from '../rooms/index.ts';
import type { FocusTables } from './focus.tables.ts';
import { storeClosed } from './roll-up.ts';
import { countsSince } from './running.ts';
import { noteWatch, silentMs } from './silences.ts';
import { createTimeZones } from './time-zones.ts';
import type { DayRule, OpenVisit, Silence, VisitChange } from './visit-change.ts';
import { beginVisits } from './visits-of-seats.ts';

/** An open visit as it is stored, and the seat that it belongs to. */
export interface StoredVisit {
  readonly visitId: number;
  readonly roomId: RoomId;
  readonly visit: OpenVisit;
  readonly silence: Silence;
}

/** What an open visit is to become. */
export interface DraftedVisit {
  readonly userId: UserId;
  readonly visitId: number;
  readonly change: VisitChange;
  /** The proof of life that came with it. */
  readonly seenAt: Date | null;
}

interface AskedVisit {
  readonly userId: UserId;
  readonly now: Date;
}

interface VisitRow {
  readonly userId: UserId;
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

interface KnownRule extends DayRule {
  /** Whether it was changed not long ago, and focus was counted by it since. */
  readonly isRuleKept: boolean;
}

/** The only queries that change visits and intervals; each of a learner holds their seat first. */
export function createFocusQueries(db: Kysely<FocusTables>) {
  return {
    /** Makes every other change of these learners' seats and visits wait; those who have a seat. */
    async lockSeats(userIds: readonly UserId[]): Promise<UserId[]> {
      const { rows } = await sql<{ userId: UserId }>`
        select user_id as "userId" from seat where user_id = any(${userIds}::bigint[])
        order by user_id for update`.execute(db);
      return rows.map(({ userId }) => userId);
    },

    /** The open visits of learners whose seats are locked. */
    async findOpenVisits(asked: readonly AskedVisit[]): Promise<ReadonlyMap<UserId, StoredVisit>> {
      const [userIds, moments] = [asked.map(({ userId }) => userId), asked.map(({ now }) => now)];
      const { rows } = await sql<VisitRow>`
        select visit.user_id as "userId", visit.id as "visitId", seat.room_id as "roomId",
               visit.status, ${countsSince()} as since, visit.returns_to as "returnsTo",
               visit.focus_ms as "focusMs", visit.away_ms as "awayMs",
               visit.time_zone as "timeZone", visit.day_start_minutes as "dayStartMinutes",
               seat.last_seen_at as "lastSeenAt",
               ${silentMs(sql`seat.last_seen_at`, sql`asked.moment`)} as "silentMs"
        from unnest(${userIds}::bigint[], ${moments}::timestamptz[]) as asked (user_id, moment)
        join visit on visit.user_id = asked.user_id and visit.ended_at is null
        join seat on seat.user_id = asked.user_id
        left join study_record as record on record.user_id = asked.user_id`.execute(db);
      return new Map(rows.map((row) => [row.userId, storedVisit(row)]));
    },

    /**
     * Stores changes of open visits, each of another learner, what they closed, and the sums over it,
     * in one statement; their numbers in the rosters of their rooms.
     */
    async saveChanges(drafts: readonly DraftedVisit[]): Promise<SeatChange[]> {
      const { rows } = await sql<SeatChange>`
        with draft as (${draftRows(drafts)}),
        closed as (${closedRows(drafts)}),
        ${storeClosed},
        saved as (
          update visit
          set status = draft.status, since = draft.since, returns_to = draft.returns_to,
              focus_ms = draft.focus_ms, away_ms = draft.away_ms, time_zone = draft.time_zone,
              day_start_minutes = draft.day_start_minutes
          from draft where visit.id = draft.visit_id
        ),
        seen as (
          update seat set last_seen_at = greatest(last_seen_at, draft.seen_at)
          from draft where seat.user_id = draft.user_id and draft.seen_at is not null
        ),
        changed as (select seat.user_id, seat.room_id from seat join draft using (user_id)),
        ${countUpdates}`.execute(db);
      if (rows.length < drafts.length) throw new Error('a visit was changed without a seat');
      return rows;
    },

    /** Notes proof of life of learners whose seats are locked. */
    async touchSeats(drafts: readonly Pick<DraftedVisit, 'userId' | 'seenAt'>[]): Promise<void> {
      await sql`
        update seat set last_seen_at = greatest(last_seen_at, heard.seen_at)
        from unnest(
          ${drafts.map(({ userId }) => userId)}::bigint[],
          ${drafts.map(({ seenAt }) => seenAt)}::timestamptz[]
        ) as heard (user_id, seen_at)
        where seat.user_id = heard.user_id`.execute(db);
    },

    /** Closes visits, as of when they were left, whose seats are kept, and begins others in them. */
    async renewVisits(drafts: readonly DraftedVisit[]): Promise<void> {
      await sql`
        update visit set ended_at = visit.since
        where id = any(${drafts.map(({ visitId }) => visitId)}::bigint[])`.execute(db);
      const seats = sql`(
        select seat.user_id, seat.room_id, heard.seen_at as entered_at
        from unnest(
          ${drafts.map(({ userId }) => userId)}::bigint[],
          ${drafts.map(({ seenAt }) => seenAt)}::timestamptz[]
        ) as heard (user_id, seen_at)
        join seat on seat.user_id = heard.user_id
      )`;
      await sql`with ${beginVisits(seats)} select`.execute(db);
    },

    /**
     * How a learner's days are counted, which nobody changes until the transaction ends.
     * @param keptSince a rule that was chosen after this moment is kept once it was counted by.
     */
    async lockSettings(userId: UserId, keptSince: Date): Promise<KnownRule> {
      const { rows } = await sql<KnownRule>`
        insert into study_record as record (user_id) values (${userId})
        on conflict (user_id) do update set time_zone = record.time_zone
        returning time_zone as "timeZone", day_start_minutes as "dayStartMinutes",
          coalesce(rule_changed_at > ${keptSince} and (
            counted_until > rule_changed_at or exists (
              select from visit
              where visit.user_id = record.user_id and ended_at is null and status = 'focus'
            )
          ), false) as "isRuleKept"`.execute(db);
      const [known] = rows;
      if (!known) throw new Error('a learner has no settings');
      return known;
    },

    /**
     * Stores settings that are locked.
     * @param ruleChangedAt when days began to be counted another way; null when they are not.
     */
    async saveSettings(
      userId: UserId,
      { timeZone, dayStartMinutes, startsOnEntering }: FocusSettings,
      ruleChangedAt: Date | null,
    ): Promise<void> {
      await sql`
        update study_record
        set time_zone = ${timeZone}, day_start_minutes = ${dayStartMinutes},
            starts_on_entering = ${startsOnEntering},
            rule_changed_at = coalesce(${ruleChangedAt}, rule_changed_at)
        where user_id = ${userId}`.execute(db);
    },
  };
}

/** SQL for rows of what open visits become. */
function draftRows(drafts: readonly DraftedVisit[]): RawBuilder<unknown> {
  const visits = drafts.map(({ change }) => change.visit);
  return sql`
    select * from unnest(
      ${drafts.map(({ userId }) => userId)}::bigint[],
      ${drafts.map(({ visitId }) => visitId)}::bigint[],
      ${drafts.map(({ seenAt }) => seenAt)}::timestamptz[],
      ${visits.map(({ clock }) => clock.status)}::text[],
      ${visits.map(({ clock }) => new Date(clock.sinceMs))}::timestamptz[],
      ${visits.map(({ returnsTo }) => returnsTo)}::text[],
      ${visits.map(({ clock }) => clock.focusMs)}::bigint[],
      ${visits.map(({ clock }) => clock.awayMs)}::bigint[],
      ${visits.map(({ timeZone }) => timeZone)}::text[],
      ${visits.map(({ dayStartMinutes }) => dayStartMinutes)}::integer[]
    ) as row (user_id, visit_id, seen_at, status, since, returns_to, focus_ms, away_ms, time_zone,
              day_start_minutes)`;
}

/** SQL for rows of the intervals that changes close. */
function closedRows(drafts: readonly DraftedVisit[]): RawBuilder<unknown> {
  const closed = drafts.flatMap(({ userId, visitId, change }) =>
    change.closed.map((interval) => ({ userId, visitId, ...interval })),
  );
  return sql`
    select * from unnest(
      ${closed.map((one) => one.userId)}::bigint[],
      ${closed.map((one) => one.visitId)}::bigint[],
      ${closed.map((one) => one.status)}::text[],
      ${closed.map((one) => new Date(one.startedAtMs))}::timestamptz[],
      ${closed.map((one) => new Date(one.endedAtMs))}::timestamptz[],
      ${closed.map((one) => one.isSilence)}::boolean[],
      ${closed.map((one) => one.timeZone)}::text[],
      ${closed.map((one) => one.dayStartMinutes)}::integer[]
    ) as row (user_id, visit_id, status, started_at, ended_at, is_silence, time_zone,
              day_start_minutes)`;
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
               visit.away_ms as "awayMs", ${countsSince()} as since
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
