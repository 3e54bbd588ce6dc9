import type {
  AttendanceRow,
  AttendanceStatus,
  Group,
  GroupMonth,
  StudyDay,
} from '@mogakgong/contract';
import { DAY_MS, HOUR_MS, MINUTE_MS, memberWeekMs } from '@mogakgong/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
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
  /** Whether the last interval of the first member runs. */
  isRunning: fc.boolean(),
  excused: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 3 }),
});
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
  readonly status: string;
  readonly timeZone: string;
  readonly dayStartMinutes: number;
  /** Time entered by hand before it; 0 without. */
  readonly manualMs: number;
}

const dayAfter = (day: StudyDay, days: number): StudyDay =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** The wall clock of a zone as milliseconds, as if it were UTC. */
const wallClockOf = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (ms: number) => Date.parse(`${format.format(ms).replace(' ', 'T')}Z`);
};

/**
 * The moment of a wall time: the later of two, and after a jump of the clock as much later as the jump is wide.
 * Found by trying offsets, unlike the product, which asks PostgreSQL.
 */
function momentOf(wallMs: number, wallClock: (ms: number) => number): number {
  const before = wallClock(wallMs - DAY_MS) - (wallMs - DAY_MS);
  const after = wallClock(wallMs + DAY_MS) - (wallMs + DAY_MS);
  const found = [before, after]
    .map((offsetMs) => wallMs - offsetMs)
    .filter((ms) => wallClock(ms) === wallMs);
  return found.length > 0 ? Math.max(...found) : wallMs - before;
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

/** A day as the rule of a history judges it, written from the text of decision 138 and not from the product. */
function judged(
  { rule }: History,
  day: StudyDay,
  counted: { focusMs: number; presentMs: number; windowMs: number },
  { isExcused, isOver }: { isExcused: boolean; isOver: boolean },
): AttendanceStatus {
  const isPresence = rule.kind === 'present';
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
  if (!rule.days.includes(weekday) || (isPresence && counted.windowMs <= 0)) return 'none';
  const doneMs = isPresence ? counted.presentMs : counted.focusMs;
  const isKept = isPresence
    ? doneMs * 5 >= counted.windowMs * 4
    : doneMs >= rule.minutes * MINUTE_MS;
  if (isKept) return 'kept';
  if (isExcused) return 'excused';
  if (!isOver) return 'open';
  return doneMs < MINUTE_MS ? 'missed' : 'partly';
}

/** A member's row of a month, counted again. */
function recount(
  given: History,
  intervals: readonly Interval[],
  { firstDay, month, nowMs }: { firstDay: StudyDay; month: string; nowMs: number },
): Omit<AttendanceRow, 'userId'> {
  const { timeZone, dayStartMinutes, rule, excused } = given;
  const wallClock = wallClockOf(timeZone);
  const at = (day: StudyDay, minute: number) =>
    momentOf(Date.parse(`${day}T00:00:00Z`) + minute * MINUTE_MS, wallClock);
  const during = (fromMs: number, toMs: number, statuses: readonly string[]) =>
    intervals
      .filter(({ status }) => statuses.includes(status))
      .reduce(
        (sum, one) => sum + Math.max(0, Math.min(one.toMs, toMs) - Math.max(one.fromMs, fromMs)),
        0,
      );
  const excusedDays = excused.map((days) => dayAfter(firstDay, days));
  const counted = new Map<StudyDay, { status: AttendanceStatus; focusMs: number }>();
  let row = 0;
  for (let day = firstDay; at(day, dayStartMinutes) <= nowMs; day = dayAfter(day, 1)) {
    const endsMs = at(dayAfter(day, 1), dayStartMinutes);
    const focusMs = during(at(day, dayStartMinutes), endsMs, ['focus']);
    const windowDay = rule.fromMinute < dayStartMinutes ? dayAfter(day, 1) : day;
    const lastDay = rule.untilMinute <= rule.fromMinute ? dayAfter(windowDay, 1) : windowDay;
    const [windowFromMs, untilMs] = [at(windowDay, rule.fromMinute), at(lastDay, rule.untilMinute)];
    const presentMs = during(windowFromMs, untilMs, ['focus', 'pause']);
    const isOver = nowMs >= (rule.kind === 'present' ? Math.max(endsMs, untilMs) : endsMs);
    const status = judged(
      given,
      day,
      { focusMs, presentMs, windowMs: untilMs - windowFromMs },
      { isExcused: excusedDays.includes(day), isOver },
    );
    counted.set(day, { status, focusMs });
    if (status === 'kept') row += 1;
    else if (status === 'partly' || status === 'missed') row = 0;
  }
  const days = Array.from({ length: 31 }, (_, index) => dayAfter(`${month}-01`, index))
    .filter((day) => day.startsWith(month))
    .map(
      (day) =>
        counted.get(day) ?? {
          focusMs: 0,
          status: excusedDays.includes(day) ? ('excused' as const) : ('none' as const),
        },
    );
  const count = (...which: readonly string[]) =>
    days.filter(({ status }) => which.includes(status)).length;
  return {
    statuses: days.map(({ status }) => status),
    minutes: days.map(({ focusMs }) => Math.floor(focusMs / MINUTE_MS)),
    focusMs: days.reduce((sum, { focusMs }) => sum + focusMs, 0),
    kept: count('kept'),
    requiredDays: count('kept', 'partly', 'missed'),
    row,
  };
}

/** Stores the intervals of a learner, and time by hand; the last interval as one that runs, if it does. */
async function store(userId: number, intervals: readonly Interval[], isRunning: boolean) {
  for (const [index, interval] of intervals.entries()) {
    const { fromMs, toMs, status, timeZone, dayStartMinutes, manualMs } = interval;
    const [from, to] = [new Date(fromMs), new Date(toMs)];
    await sql`
      insert into manual_time (user_id, started_at, ended_at, day, time_zone, entered_at)
      select ${userId}, begins_at, ${from}, ${from}::timestamptz::date, ${timeZone}, ${from}
      from (select ${new Date(fromMs - manualMs)}::timestamptz as begins_at) as gap
      where begins_at < ${from}`.execute(app.database);
    const runs = isRunning && index === intervals.length - 1;
    await sql`
      with began as (
        insert into visit (user_id, room_id, began_at, ended_at, status, since, time_zone, day_start_minutes)
        select ${userId}, max(id), ${from}, ${runs ? null : to}, ${status}, ${from}, ${timeZone}, ${dayStartMinutes}
        from study_room returning id
      )
      insert into focus_interval
        (user_id, started_at, ended_at, visit_id, status, is_silence, time_zone, day_start_minutes)
      select ${userId}, ${from}, ${to}, id, ${status}, false, ${timeZone}, ${dayStartMinutes}
      from began where not ${runs}`.execute(app.database);
    if (runs) {
      await sql`
        insert into seat (user_id, room_id, entered_at, last_seen_at)
        select ${userId}, max(id), ${from}, ${to} from study_room`.execute(app.database);
    }
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
      // Only the first member's last interval can run, if it is the last of all.
      const runs = isRunning && histories[0]?.at(-1)?.toMs === endMs;
      for (const [index, learner] of learners.entries()) {
        await store(learner.userId, histories[index] ?? [], runs && index === 0);
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
      const compare = async () => {
        for (const month of months) {
          const { rows } = await ask<GroupMonth>(`/attendance?month=${month}`);
          const nowMs = app.clock.now().getTime();
          const lasting = histories.map((all, index) =>
            all.map((one, place) =>
              runs && index === 0 && place === all.length - 1 ? { ...one, toMs: nowMs } : one,
            ),
          );
          expect(rows).toEqual(
            learners.map(({ userId }, index) => ({
              userId,
              ...recount(given, lasting[index] ?? [], { firstDay, month, nowMs }),
            })),
          );
        }
      };
      await compare();
      app.clock.advance(2 * HOUR_MS);
      await app.runJob('group days');
      await compare();
      app.clock.advance(2 * DAY_MS);
      await hearAll();
      await app.runJob('group days');
      await compare();
      const running = runs ? histories[0]?.at(-1) : undefined;
      const { totalMs, ...group } = await ask<Group>('');
      const nowMs = app.clock.now().getTime();
      const focus = histories.map((all) => all.filter(({ status }) => status === 'focus'));
      const countedMs = (one: Interval) => (one === running ? nowMs : one.toMs) - one.fromMs;
      expect(totalMs).toBe(focus.flat().reduce((sum, one) => sum + countedMs(one), 0));
      const inWeekMs = ({ fromMs, toMs }: Interval, isRunning: boolean) =>
        Math.max(0, (isRunning ? nowMs : toMs) - Math.max(fromMs, group.weekStartsAtMs));
      expect(group.people.map((member) => memberWeekMs(member, group, nowMs))).toEqual(
        focus.map((all) => all.reduce((sum, one) => sum + inWeekMs(one, one === running), 0)),
      );
      await app.empty('study_group', 'visit', 'seat');
    }),
    { numRuns: 40 },
  );
}, 120_000);
