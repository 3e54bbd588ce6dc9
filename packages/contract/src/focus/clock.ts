import * as z from 'zod/mini';
import {
  FollowedSchedule,
  type FollowingTimer,
  followedFocusMs,
  phaseChangeMs,
  pomodoroPhase,
  timerAt,
} from '../pomodoro/pomodoro.ts';
import { ServerTimeMs } from '../server-time.ts';

/**
 * Focus status of a learner (specification §4, design §5). It belongs to a visit, which runs from
 * entering a room to leaving it: `idle` until the first start, `ended` for good.
 */
export const FocusStatus = z.enum(['idle', 'focus', 'pause', 'away', 'ended']);
export type FocusStatus = z.infer<typeof FocusStatus>;

/** The learner's actions on the timer. */
export const timerMoves = ['start', 'pause', 'resume', 'away'] as const;
export type TimerMove = (typeof timerMoves)[number];
/** All causes of a change of status: an action on the timer, or leaving the room. */
export type FocusMove = TimerMove | 'leave';

interface Transition {
  readonly from: readonly FocusStatus[];
  readonly to: FocusStatus;
}

/** The one table of transitions (specification §4, design §5); `ended` is final. */
export const focusTransitions = {
  start: { from: ['idle'], to: 'focus' },
  pause: { from: ['focus'], to: 'pause' },
  resume: { from: ['pause', 'away'], to: 'focus' },
  away: { from: ['focus', 'pause'], to: 'away' },
  leave: { from: ['idle', 'focus', 'pause', 'away'], to: 'ended' },
} as const satisfies Record<FocusMove, Transition>;

/**
 * The status after a move, or null when it is not allowed. A repeated move leads to the same status as the
 * first, so a repeated call succeeds.
 */
export function statusAfter(status: FocusStatus, move: FocusMove): FocusStatus | null {
  const { from, to }: Transition = focusTransitions[move];
  return status === to || from.includes(status) ? to : null;
}

/**
 * The move of the button on one's own tile: start, pause or resume (specification §4); null once the
 * visit has ended.
 */
export function toggleMove(status: FocusStatus): TimerMove | null {
  switch (status) {
    case 'idle':
      return 'start';
    case 'focus':
      return 'pause';
    case 'pause':
    case 'away':
      return 'resume';
    case 'ended':
      return null;
  }
}

/**
 * The state from which a learner's clock at any moment is computed: the time counted in this visit before the
 * present status, and when that status began. It changes only when the status does.
 */
export const FocusClock = z.object({
  status: FocusStatus,
  /** Focused in this visit before `sinceMs`. */
  focusMs: z.int(),
  /** Away in this visit before `sinceMs`. */
  awayMs: z.int(),
  /** When the present status began. */
  sinceMs: ServerTimeMs,
  /** The schedule of the room, if the timer follows it: its phases change focus and its breaks (decision 137). */
  schedule: z.optional(FollowedSchedule),
  /** In the status "pause": the break is the schedule's, and its next focus ends it. */
  isScheduledBreak: z.optional(z.boolean()),
  /** In the status "away": the camera rule of the room set it, and ends it when the picture is back. */
  isAwayByCamera: z.optional(z.boolean()),
});
export type FocusClock = z.infer<typeof FocusClock>;

/** The clock of a learner after entering, or without a seat. */
export function stillClock(status: 'idle' | 'ended', sinceMs: number): FocusClock {
  return { status, focusMs: 0, awayMs: 0, sinceMs };
}

/** The clock as a timer that phases change; null without a schedule, after a pause by hand, and away. */
function timerOf({
  schedule,
  status,
  isScheduledBreak,
  sinceMs,
}: FocusClock): FollowingTimer | null {
  const isCarried = status === 'focus' || (status === 'pause' && isScheduledBreak);
  return schedule && isCarried ? { schedule, isFocusing: status === 'focus', sinceMs } : null;
}

/** When the next phase changes the clock, if no press does before; null if none will. */
export function nextPhaseMs(clock: FocusClock): number | null {
  const timer = timerOf(clock);
  const changeMs = timer && phaseChangeMs(timer);
  const isOver = changeMs !== null && changeMs > (timer?.schedule.endedAtMs ?? changeMs);
  return isOver ? null : changeMs;
}

/** The clock at a moment, after the phases of the schedule up to then; the same object if none began. */
export function clockAt(clock: FocusClock, serverNowMs: number): FocusClock {
  const timer = timerOf(clock);
  if (timer === null) return clock;
  const { schedule } = timer;
  const { isFocusing, sinceMs, focusMs } = timerAt(timer, serverNowMs);
  if (sinceMs === clock.sinceMs) return clock;
  return {
    status: isFocusing ? 'focus' : 'pause',
    focusMs: clock.focusMs + focusMs,
    awayMs: clock.awayMs,
    sinceMs,
    schedule,
    ...(!isFocusing && { isScheduledBreak: true }),
  };
}

/** How long the present status has lasted; never negative, even if clocks disagree. */
function statusMs(clock: FocusClock, serverNowMs: number): number {
  return Math.max(0, serverNowMs - clock.sinceMs);
}

/** Focused in this visit so far. */
export function focusedMs(clock: FocusClock, serverNowMs: number): number {
  const now = clockAt(clock, serverNowMs);
  return now.focusMs + (now.status === 'focus' ? statusMs(now, serverNowMs) : 0);
}

/** Away in this visit so far. */
export function awayMsOf(clock: FocusClock, serverNowMs: number): number {
  return clock.awayMs + (clock.status === 'away' ? statusMs(clock, serverNowMs) : 0);
}

/** The schedule of the break that a clock counts down; null for any other status or break. */
export function countedDownBy({
  status,
  schedule,
  isScheduledBreak,
}: FocusClock): FocusClock['schedule'] | null {
  const isOfSchedule = status === 'pause' && isScheduledBreak === true;
  return isOfSchedule && schedule?.endedAtMs === undefined ? (schedule ?? null) : null;
}

/**
 * The time beside a learner's status, on tiles and in the bar: it counts up while the status is focus or away
 * (specification §4). Away counts separately, so that a break never looks like study. A break shows its length,
 * or what is left of it, in whole seconds, if it is the schedule's.
 */
export function tileMs(clock: FocusClock, serverNowMs: number): number {
  const now = clockAt(clock, serverNowMs);
  if (now.status === 'away') return awayMsOf(now, serverNowMs);
  if (now.status !== 'pause') return focusedMs(now, serverNowMs);
  const schedule = countedDownBy(now);
  return schedule
    ? 1_000 * Math.ceil((pomodoroPhase(schedule, serverNowMs).endsAtMs - serverNowMs) / 1_000)
    : statusMs(now, serverNowMs);
}

/** The clock after a change of status, for both ends: the browser draws it before the server confirms. */
export function clockAfter(
  clock: FocusClock,
  status: FocusStatus,
  serverNowMs: number,
): FocusClock {
  const { schedule, ...before } = clockAt(clock, serverNowMs);
  if (status === before.status) return clock;
  return {
    status,
    focusMs: focusedMs(clock, serverNowMs),
    awayMs: awayMsOf(clock, serverNowMs),
    sinceMs: Math.max(before.sinceMs, serverNowMs),
    ...(schedule && { schedule }),
  };
}

interface ClockReading {
  /** The server's time in its response. */
  readonly serverNowMs: number;
  /** By this computer's clock: when the request was sent; for pushed messages the time of arrival. */
  readonly sentAtMs: number;
  readonly receivedAtMs: number;
}

/**
 * How far the server's clock is ahead of this computer's: server time = own time + offset. Right to
 * half the time that the answer took.
 */
export function serverOffsetMs({ serverNowMs, sentAtMs, receivedAtMs }: ClockReading): number {
  return serverNowMs - (sentAtMs + receivedAtMs) / 2;
}

/** A calendar day of the learner, as `YYYY-MM-DD`: it begins at their day start in their time zone. */
export const StudyDay = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/u));
export type StudyDay = z.infer<typeof StudyDay>;

/** The schedule that changes the running focus or break, which began at `sinceMs`. */
export const FollowedPhases = z.extend(FollowedSchedule, { sinceMs: ServerTimeMs });
export type FollowedPhases = z.infer<typeof FollowedPhases>;

/** Whether a learner is away without being asked to show the camera: their picture is not sent. */
export const isAbsent = (clock: FocusClock | null): boolean =>
  clock?.status === 'away' && clock.isAwayByCamera !== true;

/** A learner's study time of today, with the state needed to continue counting without a request. */
export const Today = z.object({
  /** Focused today up to `serverNowMs`, in whole seconds (specification §3). */
  todayStudyTime: z.int(),
  day: StudyDay,
  /** The IANA time zone of that day, in which all times are shown to the learner. */
  timeZone: z.string(),
  /** Focused today in intervals that are closed. */
  focusMs: z.int(),
  /** Start of the running focus, or of today if later; null while none runs. */
  runningSinceMs: z.nullable(ServerTimeMs),
  /** Of today, entered by hand: in no sum of focus. */
  manualMs: z.optional(z.int()),
  dayStartsAtMs: ServerTimeMs,
  /** When the next day begins. */
  dayEndsAtMs: ServerTimeMs,
  phases: z.optional(FollowedPhases),
  serverNowMs: ServerTimeMs,
});
export type Today = z.infer<typeof Today>;

/**
 * Today from an answer that has `todayStudyTime` alone: it stands still until it is asked for again, in the
 * calendar of this browser.
 */
export function stillToday(answer: unknown, nowMs: number): Omit<Today, 'todayStudyTime'> {
  const { todayStudyTime } = Object(answer) as Partial<Today>;
  const midnightMs = (days: number) => {
    const day = new Date(nowMs);
    return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days).getTime();
  };
  return {
    // Swedish dates are written as ISO 8601.
    day: new Date(nowMs).toLocaleDateString('sv-SE'),
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    focusMs: Number(todayStudyTime) * 1_000,
    runningSinceMs: null,
    dayStartsAtMs: midnightMs(0),
    dayEndsAtMs: midnightMs(1),
    serverNowMs: nowMs,
  };
}

/** The values that count the focus of today on. */
export type TodayFigures = Pick<Today, 'focusMs' | 'runningSinceMs' | 'dayEndsAtMs' | 'phases'>;

/** Focused today at a moment of the server's time; restarts with the learner's day. */
export function todayMs(today: TodayFigures, serverNowMs: number): number {
  const { focusMs, dayEndsAtMs } = today;
  return serverNowMs >= dayEndsAtMs
    ? grownMs(today, dayEndsAtMs, serverNowMs)
    : focusMs + grownMs(today, 0, serverNowMs);
}

/** Focus of the running interval, and of the phases that follow it, between two moments. */
function grownMs({ runningSinceMs, phases }: TodayFigures, fromMs: number, toMs: number): number {
  const isFocusing = runningSinceMs !== null;
  if (phases === undefined) {
    return isFocusing ? Math.max(0, toMs - Math.max(fromMs, runningSinceMs)) : 0;
  }
  const { sinceMs, ...schedule } = phases;
  const untilMs = (atMs: number) => followedFocusMs({ schedule, isFocusing, sinceMs }, atMs);
  return Math.max(0, untilMs(toMs) - untilMs(Math.max(fromMs, runningSinceMs ?? sinceMs)));
}
