import {
  DAY_MS,
  type Group,
  type GroupMonth,
  HOUR_MS,
  MINUTE_MS,
  memberWeekMs,
  type RoomId,
  SECOND_MS,
  type TimerMove,
  timerMoves,
} from '@mogakgong/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import {
  dayAfter,
  followed,
  isBreakAt,
  pressed,
  type Running,
  recount,
  type Schedule,
  type Stretch,
} from '../../../test/attendance-recount.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

/** Offsets of quarter hours, clocks that are set by half an hour, missing and repeated midnights. */
const TIME_ZONES = [
  'Asia/Seoul',
  'Asia/Kathmandu',
  'Pacific/Chatham',
  'Australia/Lord_Howe',
  'America/New_York',
  'America/Havana',
  'Africa/Cairo',
];
/** Around changes to and from summer time in both hemispheres. */
const BEGINNINGS_MS = ['2037-03-12', '2037-04-02', '2037-10-29', '2038-02-26'].map((day) =>
  Date.parse(`${day}T00:00:00Z`),
);

const { app } = await openTestSite({ emptied: ['study_group', 'visit', 'seat'] });

/** Lengths and gaps of intervals in turn, like presses of a timer and the phases of a pomodoro. */
const stretches = fc.array(
  fc.record({
    gapMinutes: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9 * 60 })),
    /** Whether the learner has filled the gap by hand, which counts nowhere. */
    isGapFilled: fc.boolean(),
    minutes: fc.oneof(
      fc.constantFrom(5, 25, 50),
      fc.integer({ min: 1, max: 180 }),
      fc.integer({ min: 1, max: 3 * 24 * 60 }),
    ),
    status: fc.constantFrom('focus' as const, 'focus' as const, 'pause' as const, 'away' as const),
    /** Of the learner: it does not matter to the group. */
    timeZone: fc.constantFrom(...TIME_ZONES),
    dayStartMinutes: fc.constantFrom(0, 210, 359),
  }),
  { maxLength: 8 },
);

/** The clock is set in the first hours of a day. */
const minuteOfDay = fc.oneof(
  fc.integer({ min: 0, max: 24 * 60 - 1 }),
  fc.integer({ min: 0, max: 4 * 60 }),
);
const history = fc.record({
  beginMs: fc.constantFrom(...BEGINNINGS_MS),
  timeZone: fc.constantFrom(...TIME_ZONES),
  dayStartMinutes: fc.constantFrom(0, 15, 60, 90, 210, 359),
  rule: fc.record({
    kind: fc.constantFrom('minutes' as const, 'present' as const),
    days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    minutes: fc.integer({ min: 1, max: 300 }),
    fromMinute: minuteOfDay,
    untilMinute: minuteOfDay,
  }),
  members: fc.tuple(stretches, stretches),
  /** Whether the last interval of the first member runs, longer than its minutes if others go on for longer. */
  isRunning: fc.boolean(),
  /** The schedule of that interval, which began before it and may end within it. */
  schedule: fc.option(
    fc.record({
      secondsBefore: fc.integer({ min: 0, max: 2 * 60 * 60 }),
      focusMinutes: fc.integer({ min: 1, max: 90 }),
      breakMinutes: fc.integer({ min: 1, max: 30 }),
      endsAfterMinutes: fc.option(fc.integer({ min: 0, max: 2 * 24 * 60 })),
    }),
    { freq: 4 },
  ),
  /** Presses of the first member while it runs. */
  presses: fc.array(
    fc.record({
      afterMinutes: fc.integer({ min: 1, max: 300 }),
      move: fc.constantFrom(...timerMoves),
    }),
    { maxLength: 3 },
  ),
  excused: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 3 }),
});
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

interface Interval extends Stretch {
  readonly status: Running['status'];
  readonly timeZone: string;
  readonly dayStartMinutes: number;
  /** Time entered by hand before it; 0 without. */
  readonly manualMs: number;
}

/** The intervals of a member, one after the other. */
function intervalsOf(beginMs: number, member: History['members'][0]): Interval[] {
  let nowMs = beginMs;
  return member.map(({ gapMinutes, isGapFilled, minutes, ...rest }) => {
    const gapMs = gapMinutes * MINUTE_MS;
    const fromMs = nowMs + gapMs;
    nowMs = fromMs + minutes * MINUTE_MS;
    return { fromMs, toMs: nowMs, manualMs: isGapFilled ? gapMs : 0, ...rest };
  });
}

/** Stores closed intervals of a learner, and time by hand. */
async function store(userId: number, intervals: readonly Interval[]) {
  for (const { fromMs, toMs, status, timeZone, dayStartMinutes, manualMs } of intervals) {
    const [from, to] = [new Date(fromMs), new Date(toMs)];
    await sql`
      insert into manual_time (user_id, started_at, ended_at, day, time_zone, entered_at)
      select ${userId}, begins_at, ${from}, ${from}::timestamptz::date, ${timeZone}, ${from}
      from (select ${new Date(fromMs - manualMs)}::timestamptz as begins_at) as gap
      where begins_at < ${from}`.execute(app.database);
    await sql`
      with began as (
        insert into visit (user_id, room_id, began_at, ended_at, status, since, time_zone, day_start_minutes)
        select ${userId}, max(id), ${from}, ${to}, ${status}, ${from}, ${timeZone}, ${dayStartMinutes}
        from study_room returning id
      )
      insert into focus_interval
        (user_id, started_at, ended_at, visit_id, status, is_silence, time_zone, day_start_minutes)
      select ${userId}, ${from}, ${to}, id, ${status}, false, ${timeZone}, ${dayStartMinutes}
      from began`.execute(app.database);
  }
}

/** Stores a visit that runs, as the row that a press or a phase left behind; the room. */
async function storeRunning(
  userId: number,
  { fromMs, status, isScheduledBreak }: Running,
  schedule: Schedule | null,
  { timeZone, dayStartMinutes }: Interval,
): Promise<RoomId> {
  const at = (ms: number | null | undefined) => (ms == null ? null : new Date(ms));
  const { rows } = await sql<{ roomId: RoomId }>`
    with began as (
      insert into visit
        (user_id, room_id, began_at, status, since, time_zone, day_start_minutes, is_scheduled_break,
         schedule_started_at, schedule_focus_minutes, schedule_break_minutes, schedule_ended_at)
      select ${userId}, max(id), ${at(fromMs)}, ${status}, ${at(fromMs)}, ${timeZone}, ${dayStartMinutes},
             ${isScheduledBreak}, ${at(schedule?.startedAtMs)}, ${schedule?.focusMinutes ?? null},
             ${schedule?.breakMinutes ?? null}, ${at(schedule?.endedAtMs)}
      from study_room returning room_id, began_at
    )
    insert into seat (user_id, room_id, entered_at, last_seen_at)
    select ${userId}, room_id, began_at, ${app.clock.now()} from began
    returning room_id as "roomId"`.execute(app.database);
  return rows[0]?.roomId as RoomId;
}

/** The last interval of a member as one that runs, with the schedule that it follows. */
function runningOf({ fromMs, status }: Interval, given: History['schedule']) {
  if (given === null)
    return { running: { fromMs, status, isScheduledBreak: false }, schedule: null };
  const { secondsBefore, endsAfterMinutes, ...lengths } = given;
  const endedAtMs = endsAfterMinutes === null ? null : fromMs + endsAfterMinutes * MINUTE_MS;
  const schedule = { ...lengths, startedAtMs: fromMs - secondsBefore * SECOND_MS, endedAtMs };
  const isScheduledBreak = status === 'pause' && isBreakAt(schedule, fromMs);
  return { running: { fromMs, status, isScheduledBreak }, schedule };
}

/** A learner with a timer that runs since their last stored interval, with its recount. */
class RunningMember {
  readonly #learner: Learner;
  readonly #roomId: RoomId;
  readonly #schedule: Schedule | null;
  readonly #closed: Stretch[] = [];
  #running: Running;

  private constructor(
    learner: Learner,
    roomId: RoomId,
    { running, schedule }: ReturnType<typeof runningOf>,
  ) {
    this.#learner = learner;
    this.#roomId = roomId;
    this.#schedule = schedule;
    this.#running = running;
  }

  static async begin(learner: Learner, last: Interval, given: History['schedule']) {
    const state = runningOf(last, given);
    const roomId = await storeRunning(learner.userId, state.running, state.schedule, last);
    return new RunningMember(learner, roomId, state);
  }

  /** Their time since then, from presses and the schedule. */
  get stretches(): readonly Stretch[] {
    const nowMs = app.clock.now().getTime();
    return [...this.#closed, ...followed(this.#running, this.#schedule, nowMs).stretches];
  }

  /** Presses now, which stores all phases before. */
  async press(move: TimerMove): Promise<void> {
    const nowMs = app.clock.now().getTime();
    const { stretches, running } = followed(this.#running, this.#schedule, nowMs);
    const next = pressed(running, move, nowMs);
    const answer = await app.move(await app.renew(this.#learner), move, this.#roomId);
    expect(answer.statusCode).toBe(next === null ? 409 : 200);
    if (next === null || next === running) return;
    this.#closed.push(...stretches);
    this.#running = next;
  }
}

/** Every seated learner is heard now, so that no running interval becomes a silence before. */
const hearAll = () => sql`update seat set last_seen_at = ${app.clock.now()}`.execute(app.database);

it('attendance equals a recount from intervals, before and after its days are stored', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (given) => {
      const { beginMs, timeZone, dayStartMinutes, rule, members, isRunning, excused } = given;
      const histories = members.map((member) => intervalsOf(beginMs, member));
      const endMs = Math.max(beginMs, ...histories.flat().map(({ toMs }) => toMs));
      app.clock.advance(endMs - app.clock.now().getTime());
      const learners = [await app.newLearner(), await app.newLearner()] as const;
      const groupId = await app.openGroup(learners[0], { rule, timeZone, dayStartMinutes });
      await app.inject({
        ...{ method: 'POST', url: `/api/groups/${groupId}/members`, payload: { agrees: true } },
        headers: learners[1].headers,
      });
      // The group is as old as the history.
      const firstDay = dayAfter(new Date(beginMs).toISOString().slice(0, 10), -1);
      await sql`update study_group set settled_day = ${firstDay}::date - 1`.execute(app.database);
      await sql`update group_member set joined_day = ${firstDay}::date - 1,
                  joined_at = ${new Date(beginMs)}`.execute(app.database);
      const last = isRunning ? histories[0]?.pop() : undefined;
      const running = last && (await RunningMember.begin(learners[0], last, given.schedule));
      for (const [index, learner] of learners.entries()) {
        await store(learner.userId, histories[index] ?? []);
        await sql`
          insert into group_excuse (user_id, group_id, day, said_at)
          select ${learner.userId}, ${groupId}, ${firstDay}::date + days, now()
          from unnest(${excused}::integer[]) as days`.execute(app.database);
      }
      const ask = async <Reply>(path: string) => {
        const url = `/api/groups/${groupId}${path}`;
        const { headers } = await app.renew(learners[0]);
        return (await app.inject({ url, headers })).json<Reply>();
      };
      const months = new Set(
        [firstDay, dayAfter(firstDay, 15), new Date(endMs).toISOString()].map((day) =>
          day.slice(0, 7),
        ),
      );
      /** The time of each member up to now. */
      const lasting = (): readonly (readonly Stretch[])[] => [
        [...(histories[0] ?? []), ...(running?.stretches ?? [])],
        histories[1] ?? [],
      ];
      const compare = async () => {
        for (const month of months) {
          const { rows } = await ask<GroupMonth>(`/attendance?month=${month}`);
          const nowMs = app.clock.now().getTime();
          expect(rows).toEqual(
            lasting().map((stretches, index) => ({
              userId: learners[index]?.userId,
              ...recount(given, stretches, { firstDay, month, nowMs }),
            })),
          );
        }
      };
      await compare();
      for (const { afterMinutes, move } of given.presses) {
        app.clock.advance(afterMinutes * MINUTE_MS);
        await hearAll();
        await running?.press(move);
        await compare();
      }
      app.clock.advance(2 * HOUR_MS);
      await app.runJob('group days');
      await compare();
      app.clock.advance(2 * DAY_MS);
      await hearAll();
      await app.runJob('group days');
      await compare();
      const { totalMs, ...group } = await ask<Group>('');
      const nowMs = app.clock.now().getTime();
      const focusMs = (fromMs: number) =>
        lasting().map((stretches) =>
          stretches
            .filter(({ status }) => status === 'focus')
            .reduce((sum, one) => sum + Math.max(0, one.toMs - Math.max(one.fromMs, fromMs)), 0),
        );
      expect(totalMs).toBe(focusMs(beginMs).reduce((sum, ms) => sum + ms, 0));
      expect(group.people.map((member) => memberWeekMs(member, group, nowMs))).toEqual(
        focusMs(group.weekStartsAtMs),
      );
      await app.empty('study_group', 'visit', 'seat');
    }),
    { numRuns: 40 },
  );
}, 120_000);
