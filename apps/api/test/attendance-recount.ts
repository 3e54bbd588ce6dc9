import type { AttendanceRow, AttendanceStatus, StudyDay, TimerMove } from '@mogakgong/contract';
import { DAY_MS, MINUTE_MS, statusAfter } from '@mogakgong/contract';

/** The inputs of a group's attendance, besides the intervals of its members. */
interface GroupHistory {
  readonly timeZone: string;
  readonly dayStartMinutes: number;
  readonly rule: {
    readonly kind: 'minutes' | 'present';
    readonly days: readonly number[];
    readonly minutes: number;
    readonly fromMinute: number;
    readonly untilMinute: number;
  };
  /** Days since the first. */
  readonly excused: readonly number[];
}

/** Time of a learner in one status. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly status: string;
}

/** A calendar day some days later. */
export const dayAfter = (day: StudyDay, days: number): StudyDay =>
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

/** A day as the rule of a history judges it, written from the text of decision 138 and not from the product. */
function judged(
  { rule }: GroupHistory,
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

/** A member's row of a month, counted again from their intervals. */
export function recount(
  given: GroupHistory,
  intervals: readonly Stretch[],
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

/** A pomodoro of a room. */
export interface Schedule {
  readonly startedAtMs: number;
  readonly focusMinutes: number;
  readonly breakMinutes: number;
  /** Null while it goes on. */
  readonly endedAtMs: number | null;
}

type RunningStatus = 'focus' | 'pause' | 'away';

/** A running timer since the latest press. */
export interface Running {
  readonly fromMs: number;
  readonly status: RunningStatus;
  /** Whether the phase of the schedule, and nobody's press, made it pause. */
  readonly isScheduledBreak: boolean;
}

/** The schedule's phase changes up to a moment, found by walking through all of them. */
function* changesUntil(
  { startedAtMs, focusMinutes, breakMinutes, endedAtMs }: Schedule,
  untilMs: number,
) {
  let [atMs, isBreak] = [startedAtMs + focusMinutes * MINUTE_MS, true];
  while (atMs <= Math.min(untilMs, endedAtMs ?? untilMs)) {
    yield { atMs, isBreak };
    atMs += (isBreak ? breakMinutes : focusMinutes) * MINUTE_MS;
    isBreak = !isBreak;
  }
}

/** Whether a schedule is in a break at a moment. */
export const isBreakAt = (schedule: Schedule, atMs: number): boolean =>
  [...changesUntil(schedule, atMs)].at(-1)?.isBreak ?? false;

/** The time of a running timer up to a moment, cut by the phases of the schedule that it follows, and what runs then. */
export function followed(running: Running, schedule: Schedule | null, untilMs: number) {
  const stretches: Stretch[] = [];
  let { fromMs, status, isScheduledBreak } = running;
  const change = (atMs: number, next: RunningStatus) => {
    stretches.push({ fromMs, toMs: atMs, status });
    [fromMs, status, isScheduledBreak] = [atMs, next, next === 'pause'];
  };
  for (const { atMs, isBreak } of schedule ? changesUntil(schedule, untilMs) : []) {
    if (atMs <= running.fromMs) continue;
    if (isBreak && status === 'focus') change(atMs, 'pause');
    else if (!isBreak && isScheduledBreak) change(atMs, 'focus');
  }
  stretches.push({ fromMs, toMs: untilMs, status });
  return { stretches, running: { fromMs, status, isScheduledBreak } };
}

/** A timer after a press; null where the press is refused. */
export function pressed(running: Running, move: TimerMove, atMs: number): Running | null {
  const next = statusAfter(running.status, move) as RunningStatus | null;
  if (next === null) return null;
  if (next === running.status && next !== 'pause') return running;
  return { fromMs: atMs, status: next, isScheduledBreak: false };
}
