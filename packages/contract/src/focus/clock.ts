import * as z from 'zod/mini';

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

/** A moment by the server's clock, in milliseconds since 1970. */
export const ServerTimeMs = z.int();

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
});
export type FocusClock = z.infer<typeof FocusClock>;

/** The clock of a learner after entering, or without a seat. */
export function stillClock(status: 'idle' | 'ended', sinceMs: number): FocusClock {
  return { status, focusMs: 0, awayMs: 0, sinceMs };
}

/** How long the present status has lasted; never negative, even if clocks disagree. */
function statusMs(clock: FocusClock, serverNowMs: number): number {
  return Math.max(0, serverNowMs - clock.sinceMs);
}

/** Focused in this visit so far. */
export function focusedMs(clock: FocusClock, serverNowMs: number): number {
  return clock.focusMs + (clock.status === 'focus' ? statusMs(clock, serverNowMs) : 0);
}

/** Away in this visit so far. */
export function awayMsOf(clock: FocusClock, serverNowMs: number): number {
  return clock.awayMs + (clock.status === 'away' ? statusMs(clock, serverNowMs) : 0);
}

/**
 * The time on a tile: it counts up while the status is focus or away (specification §4). Away counts
 * separately, so that a break never looks like study.
 */
export function tileMs(clock: FocusClock, serverNowMs: number): number {
  return clock.status === 'away' ? awayMsOf(clock, serverNowMs) : focusedMs(clock, serverNowMs);
}

/** The learner's own clock: like the tile, except that during a break it shows the break's length. */
export function ownClockMs(clock: FocusClock, serverNowMs: number): number {
  return clock.status === 'pause' ? statusMs(clock, serverNowMs) : tileMs(clock, serverNowMs);
}

/** The clock after a change of status, for both ends: the browser draws it before the server confirms. */
export function clockAfter(
  clock: FocusClock,
  status: FocusStatus,
  serverNowMs: number,
): FocusClock {
  if (status === clock.status) return clock;
  return {
    status,
    focusMs: focusedMs(clock, serverNowMs),
    awayMs: awayMsOf(clock, serverNowMs),
    sinceMs: Math.max(clock.sinceMs, serverNowMs),
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

type TodayFigures = Pick<Today, 'focusMs' | 'runningSinceMs' | 'dayEndsAtMs'>;

/** Focused today at a moment of the server's time; restarts with the learner's day. */
export function todayMs(today: TodayFigures, serverNowMs: number): number {
  const { focusMs, runningSinceMs, dayEndsAtMs } = today;
  const isNextDay = serverNowMs >= dayEndsAtMs;
  if (runningSinceMs === null) return isNextDay ? 0 : focusMs;
  return isNextDay
    ? serverNowMs - Math.max(dayEndsAtMs, runningSinceMs)
    : focusMs + Math.max(0, serverNowMs - runningSinceMs);
}
