import type { RoomId, SubjectId, UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Database, retryConflict } from '../../platform/database/index.ts';
import { countChangedSeats, lockSeats, type SeatChange } from '../rooms/index.ts';
import { storeClosed } from './counting.ts';
import type { DayRule, OpenVisit, ReceivedPress, Silence, VisitChange } from './visit-change.ts';
import { type ClockRow, clockColumns, clockOf, silentMs, visitsOfSeats } from './visits.ts';

/** A stored open visit, and its seat. */
export interface StoredVisit {
  readonly visitId: number;
  readonly roomId: RoomId;
  readonly visit: OpenVisit;
  readonly silence: Silence;
  /** The press of the edit; null without one. */
  readonly press: ReceivedPress | null;
}

/** The new state of an open visit. */
export interface DraftedVisit {
  readonly userId: UserId;
  readonly visitId: number;
  readonly change: VisitChange;
  /** The proof of life that came with it. */
  readonly seenAt: Date | null;
  /** Whether the learner has joined or left a schedule: else its end may be stored at the same moment. */
  readonly setsSchedule: boolean;
}

type HeardLearner = Pick<DraftedVisit, 'userId' | 'seenAt'>;

interface AskedVisit {
  readonly userId: UserId;
  readonly now: Date;
  /** A press of the timer, and its time according to the browser. */
  readonly press?: { readonly id: string; readonly at: Date } | undefined;
}

/** A press that arrives later than 10 minutes after it was made changes nothing. */
const PRESS_KEPT = '1 hour';

interface VisitRow extends ClockRow, DayRule {
  readonly userId: UserId;
  readonly visitId: number;
  readonly roomId: RoomId;
  readonly returnsTo: OpenVisit['returnsTo'];
  readonly isAwayByCamera: boolean;
  readonly subjectId: SubjectId | null;
  readonly lastSeenAt: Date;
  readonly silentMs: number;
  readonly pressedAt: Date | null;
  readonly pressAgeMs: number;
  readonly isRepeated: boolean;
  readonly newest: Date;
  readonly needsCamera: boolean;
}

/** The only queries that change visits and intervals; each locks the learner's seat first. */
function createVisitQueries(db: Database) {
  return {
    /** Makes every other change of these learners' seats and visits wait; returns the seated ones. */
    lockSeats: (userIds: readonly UserId[]): Promise<UserId[]> => lockSeats(db, userIds),

    /** Records presses of learners with locked seats, so that resends are recognised. */
    async recordPresses(asked: readonly AskedVisit[]): Promise<void> {
      const pressed = asked.flatMap(({ userId, now, press }) =>
        press ? [{ userId, now, ...press }] : [],
      );
      if (pressed.length === 0) return;
      await sql`
        with pressed as (
          select * from unnest(
            ${pressed.map(({ userId }) => userId)}::bigint[],
            ${pressed.map(({ id }) => id)}::uuid[],
            ${pressed.map(({ now }) => now)}::timestamptz[],
            ${pressed.map(({ at }) => at)}::timestamptz[]
          ) as row (user_id, id, received_at, made_at)
        ), forgotten as (
          delete from timer_press using pressed
          where timer_press.user_id = pressed.user_id
            and timer_press.received_at < pressed.received_at - interval ${sql.lit(PRESS_KEPT)}
        )
        insert into timer_press (user_id, id, received_at, made_at) select * from pressed
        on conflict (user_id, id) do nothing`.execute(db);
    },

    /** The open visits of learners with locked seats. */
    async findOpenVisits(asked: readonly AskedVisit[]): Promise<ReadonlyMap<UserId, StoredVisit>> {
      const [userIds, moments] = [asked.map(({ userId }) => userId), asked.map(({ now }) => now)];
      const pressIds = asked.map(({ press }) => press?.id ?? null);
      const pressedAt = asked.map(({ press }) => press?.at ?? null);
      const { rows } = await sql<VisitRow>`
        select visit.user_id as "userId", visit.id as "visitId", seat.room_id as "roomId",
               ${clockColumns}, visit.returns_to as "returnsTo", visit.time_zone as "timeZone",
               visit.day_start_minutes as "dayStartMinutes", visit.subject_id as "subjectId", seat.last_seen_at as "lastSeenAt",
               ${silentMs(sql`seat.last_seen_at`, sql`asked.moment`)} as "silentMs",
               asked.pressed_at as "pressedAt",
               ${silentMs(sql`asked.pressed_at`, sql`asked.moment`)} as "pressAgeMs",
               exists (
                 select from timer_press where user_id = visit.user_id and id = asked.press_id
               ) as "isRepeated",
               greatest(visit.began_at, (
                 select max(made_at) from timer_press where user_id = visit.user_id
               )) as newest,
               exists (
                 select from open_hosted_room as hosted
                 where hosted.room_id = seat.room_id and hosted.needs_camera
               ) as "needsCamera"
        from unnest(
          ${userIds}::bigint[], ${moments}::timestamptz[],
          ${pressIds}::uuid[], ${pressedAt}::timestamptz[]
        ) as asked (user_id, moment, press_id, pressed_at)
        join visit on visit.user_id = asked.user_id and visit.ended_at is null
        join seat on seat.user_id = asked.user_id
        left join study_record as record on record.user_id = asked.user_id`.execute(db);
      return new Map(rows.map((row) => [row.userId, storedVisit(row)]));
    },

    /**
     * Stores changes of open visits, each of another learner, their closed intervals, and the sums, in one
     * statement; returns their numbers in the rosters of their rooms.
     */
    async saveChanges(drafts: readonly DraftedVisit[]): Promise<SeatChange[]> {
      const { rows } = await sql<SeatChange>`
        with draft as (${draftRows(drafts)}),
        closed as (${closedRows(drafts)}),
        ${storeClosed},
        saved as (
          update visit
          set status = draft.status, since = draft.since, returns_to = draft.returns_to,
              away_by_camera = draft.away_by_camera, focus_ms = draft.focus_ms,
              away_ms = draft.away_ms, time_zone = draft.time_zone,
              day_start_minutes = draft.day_start_minutes, subject_id = draft.subject_id,
              is_scheduled_break = draft.is_scheduled_break, ${scheduleOfDraft}
          from draft where visit.id = draft.visit_id
        ),
        seen as (
          update seat set last_seen_at = greatest(last_seen_at, draft.seen_at)
          from draft where seat.user_id = draft.user_id and draft.seen_at is not null
        ),
        changed as (select seat.user_id, seat.room_id from seat join draft using (user_id)),
        ${countChangedSeats}`.execute(db);
      if (rows.length < drafts.length) throw new Error('a visit was changed without a seat');
      return rows;
    },

    /** Stores proof of life of learners with locked seats. */
    async touchSeats(drafts: readonly HeardLearner[]): Promise<void> {
      await sql`
        update seat set last_seen_at = greatest(last_seen_at, heard.seen_at)
        from ${heardRows(drafts)}
        where seat.user_id = heard.user_id`.execute(db);
    },

    /** Closes visits, as of the time they were left, while their seats stay, and begins others. */
    async renewVisits(drafts: readonly DraftedVisit[]): Promise<void> {
      await sql`
        update visit set ended_at = visit.since
        where id = any(${drafts.map(({ visitId }) => visitId)}::bigint[])`.execute(db);
      const seats = sql`(
        select seat.user_id, seat.room_id, heard.seen_at as entered_at
        from ${heardRows(drafts)} join seat on seat.user_id = heard.user_id
      )`;
      await sql`with ${visitsOfSeats.begin(seats)} select`.execute(db);
    },
  };
}

/** SQL that sets the schedule of a `visit` where its `draft` has joined or left one. */
const scheduleOfDraft = sql.join(
  ['started_at', 'focus_minutes', 'break_minutes', 'ended_at'].map((name) => {
    const [column, stored] = [`schedule_${name}`, `visit.schedule_${name}`];
    const drafted = name === 'ended_at' ? sql`null` : sql.ref(`draft.${column}`);
    return sql`${sql.ref(column)} = case when draft.sets_schedule then ${drafted} else ${sql.ref(stored)} end`;
  }),
);

/** SQL for the proof of life of changes: `heard` (user_id, seen_at). */
function heardRows(drafts: readonly HeardLearner[]): RawBuilder<unknown> {
  return sql`
    unnest(
      ${drafts.map(({ userId }) => userId)}::bigint[],
      ${drafts.map(({ seenAt }) => seenAt)}::timestamptz[]
    ) as heard (user_id, seen_at)`;
}

/** SQL for rows with the new states of open visits. */
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
      ${visits.map(({ isAwayByCamera }) => isAwayByCamera)}::boolean[],
      ${visits.map(({ clock }) => clock.focusMs)}::bigint[],
      ${visits.map(({ clock }) => clock.awayMs)}::bigint[],
      ${visits.map(({ timeZone }) => timeZone)}::text[],
      ${visits.map(({ dayStartMinutes }) => dayStartMinutes)}::integer[],
      ${visits.map(({ subjectId }) => subjectId)}::bigint[],
      ${visits.map(({ clock }) => clock.isScheduledBreak ?? false)}::boolean[],
      ${drafts.map(({ setsSchedule }) => setsSchedule)}::boolean[],
      ${visits.map(({ clock }) => dateOrNull(clock.schedule?.startedAtMs))}::timestamptz[],
      ${visits.map(({ clock }) => clock.schedule?.focusMinutes ?? null)}::integer[],
      ${visits.map(({ clock }) => clock.schedule?.breakMinutes ?? null)}::integer[]
    ) as row (user_id, visit_id, seen_at, status, since, returns_to, away_by_camera, focus_ms,
              away_ms, time_zone, day_start_minutes, subject_id, is_scheduled_break, sets_schedule,
              schedule_started_at, schedule_focus_minutes, schedule_break_minutes)`;
}

const dateOrNull = (ms: number | undefined) => (ms === undefined ? null : new Date(ms));

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
      ${closed.map((one) => one.dayStartMinutes)}::integer[],
      ${closed.map((one) => one.subjectId)}::bigint[]
    ) as row (user_id, visit_id, status, started_at, ended_at, is_silence, time_zone,
              day_start_minutes, subject_id)`;
}

function storedVisit(row: VisitRow): StoredVisit {
  const { visitId, roomId, returnsTo, isAwayByCamera, timeZone, dayStartMinutes, subjectId } = row;
  const { pressedAt, pressAgeMs: ageMs, isRepeated, newest, needsCamera } = row;
  return {
    visitId,
    roomId,
    visit: {
      ...{ clock: clockOf(row), returnsTo, isAwayByCamera },
      ...{ timeZone, dayStartMinutes, subjectId },
    },
    silence: { sinceMs: row.lastSeenAt.getTime(), lastsMs: row.silentMs },
    press: pressedAt && {
      ...{ isRepeated, ageMs, needsCamera },
      ...{ atMs: pressedAt.getTime(), newestMs: newest.getTime() },
    },
  };
}

export type VisitQueries = ReturnType<typeof createVisitQueries>;

/** Work on visits in one transaction: all of it is stored, or nothing. */
export type VisitWork<Result> = (queries: VisitQueries, db: Database) => Promise<Result>;

export function transactVisits<Result>(
  database: Database,
  work: VisitWork<Result>,
): Promise<Result> {
  return retryConflict(() =>
    database.transaction().execute((db) => work(createVisitQueries(db), db)),
  );
}
