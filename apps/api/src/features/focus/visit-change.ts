import {
  awayMsOf,
  clockAt,
  FORGIVEN_SILENCE_MS,
  type FocusClock,
  type FollowedSchedule,
  focusedMs,
  nextPhaseMs,
  type PomodoroSchedule,
  pomodoroPhase,
  type SubjectId,
  statusAfter,
  type TimerMove,
} from '@mogakgong/contract';
import { SILENT_SEAT_MS } from '../rooms/index.ts';

/** The rule of a learner's days while an interval runs. */
export interface DayRule {
  readonly timeZone: string;
  readonly dayStartMinutes: number;
}

export const isSameRule = (one: DayRule, other: DayRule) =>
  one.timeZone === other.timeZone && one.dayStartMinutes === other.dayStartMinutes;

/** How an interval counts: by which day rule, and under which subject if it is focus. */
interface Counting extends DayRule {
  readonly subjectId: SubjectId | null;
}

/** A closed interval, of at least a millisecond. */
export interface ClosedInterval extends Counting {
  readonly status: 'focus' | 'pause' | 'away';
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly isSilence: boolean;
}

/** An open visit with its running interval. */
export interface OpenVisit extends Counting {
  readonly clock: FocusClock;
  /** If set away by silence, the status to return to. Null if away is the learner's choice. */
  readonly returnsTo: 'focus' | 'pause' | null;
  /** Set away by the camera rule of the room: focus resumes when the camera is back. */
  readonly isAwayByCamera: boolean;
}

/** The clock of a visit as everybody sees it. */
export const seenClock = ({ clock, isAwayByCamera }: OpenVisit): FocusClock => ({
  ...clock,
  ...(isAwayByCamera && { isAwayByCamera }),
});

/** A visit between its stored and its new state. */
export interface VisitChange {
  readonly visit: OpenVisit;
  /** The intervals that this change closes, in order. */
  readonly closed: readonly ClosedInterval[];
}

/** A learner's silence up to now. */
export interface Silence {
  /** The last proof of life before it. */
  readonly sinceMs: number;
  /** Its duration, without downtime of the site. */
  readonly lastsMs: number;
}

export const unchanged = (visit: OpenVisit): VisitChange => ({ visit, closed: [] });

interface NextInterval {
  readonly atMs: number;
  readonly status?: FocusClock['status'];
  readonly returnsTo?: OpenVisit['returnsTo'];
  readonly isAwayByCamera?: boolean;
  readonly isScheduledBreak?: boolean | undefined;
  readonly schedule?: FollowedSchedule;
  readonly counting?: Partial<Counting>;
}

/** The running interval of a visit, ended at a moment; null if none counts. */
function intervalUntil(endMs: number, visit: OpenVisit): ClosedInterval | null {
  const { clock, returnsTo, timeZone, dayStartMinutes, subjectId } = visit;
  const { status, sinceMs: startedAtMs } = clock;
  if (status === 'idle' || status === 'ended' || endMs <= startedAtMs) return null;
  const isSilence = returnsTo !== null;
  const counting = { timeZone, dayStartMinutes, subjectId };
  return { status, startedAtMs, endedAtMs: endMs, isSilence, ...counting };
}

/** Closes the running interval and starts another one; a clock that was set back moves no time back. */
function startInterval({ visit, closed }: VisitChange, next: NextInterval): VisitChange {
  const { clock, timeZone, dayStartMinutes, subjectId } = visit;
  const { status = clock.status, schedule = clock.schedule, isScheduledBreak } = next;
  const { returnsTo = null, isAwayByCamera = false } = next;
  const endMs = Math.max(next.atMs, clock.sinceMs);
  const interval = intervalUntil(endMs, visit);
  return {
    visit: {
      ...{ timeZone, dayStartMinutes, subjectId },
      ...next.counting,
      returnsTo,
      isAwayByCamera,
      clock: {
        status,
        focusMs: focusedMs(clock, endMs),
        awayMs: awayMsOf(clock, endMs),
        sinceMs: endMs,
        ...(schedule && { schedule }),
        ...(isScheduledBreak && { isScheduledBreak }),
      },
    },
    closed: interval ? [...closed, interval] : closed,
  };
}

/**
 * The phases of the schedule that began up to a moment: each closes an interval at its own moment, whenever
 * this is noticed (decision 137). Every change of a visit at a moment comes after them.
 */
export function afterPhases(change: VisitChange, untilMs: number): VisitChange {
  let settled = change;
  for (;;) {
    const { clock } = settled.visit;
    const atMs = nextPhaseMs(clock);
    if (atMs === null || atMs > untilMs) return settled;
    const isBreak = clock.status === 'focus';
    const status = isBreak ? 'pause' : 'focus';
    settled = startInterval(settled, { atMs, status, isScheduledBreak: isBreak });
  }
}

/** Ends an absence as if the status before it had continued: phases have passed meanwhile. */
function resumeAfter(change: VisitChange, status: 'focus' | 'pause', atMs: number): VisitChange {
  const resumed = clockAt({ ...change.visit.clock, status }, atMs);
  const { isScheduledBreak } = resumed;
  return startInterval(change, { atMs, status: resumed.status, isScheduledBreak });
}

/**
 * A silence during focus or a break that is too long to be forgiven counts as away from its beginning (design
 * §5).
 */
export function afterSilence(change: VisitChange, { sinceMs, lastsMs }: Silence): VisitChange {
  if (lastsMs <= FORGIVEN_SILENCE_MS) return change;
  const settled = afterPhases(change, sinceMs);
  const { status, isScheduledBreak } = settled.visit.clock;
  if (status !== 'focus' && status !== 'pause') return change;
  const away = { status: 'away', returnsTo: status, isScheduledBreak } as const;
  return startInterval(settled, { atMs: sinceMs, ...away });
}

/** A learner set away by silence resumes the status that would run, from the moment they are heard. */
export function afterReturn(change: VisitChange, silence: Silence, atMs: number): VisitChange {
  const settled = afterSilence(change, silence);
  const { returnsTo } = settled.visit;
  return returnsTo === null ? settled : resumeAfter(settled, returnsTo, atMs);
}

/**
 * A move of the timer; null if the table of transitions does not allow it. A pause in a break of the schedule
 * makes it the learner's own: they resume by hand.
 */
export function afterMove(change: VisitChange, move: TimerMove, atMs: number): VisitChange | null {
  const settled = afterPhases(change, atMs);
  const { status, isScheduledBreak } = settled.visit.clock;
  const next = statusAfter(status, move);
  if (next === null) return null;
  const isRepeated = next === status && !(next === 'pause' && isScheduledBreak);
  return isRepeated ? change : startInterval(settled, { atMs, status: next });
}

/**
 * Joining the schedule of the room: the phase of the moment begins, whatever ran before; but an absence by the
 * camera rule lasts. Leaving it changes nothing that runs.
 */
export function afterFollowing(
  change: VisitChange,
  schedule: PomodoroSchedule | null,
  atMs: number,
): VisitChange {
  const settled = afterPhases(change, atMs);
  const { visit, closed } = settled;
  const { schedule: before, isScheduledBreak: _, ...clock } = visit.clock;
  if (schedule === null) return before ? { visit: { ...visit, clock }, closed } : change;
  if (before?.startedAtMs === schedule.startedAtMs && before.endedAtMs === undefined) return change;
  if (visit.isAwayByCamera) return { visit: { ...visit, clock: { ...clock, schedule } }, closed };
  const isScheduledBreak = pomodoroPhase(schedule, atMs).kind === 'break';
  const status = isScheduledBreak ? 'pause' : 'focus';
  return startInterval(settled, { atMs, status, isScheduledBreak, schedule });
}

/** Without a camera in a room that requires it, focus becomes away; other statuses stay. */
export function afterCameraOff(change: VisitChange, atMs: number): VisitChange {
  const settled = afterPhases(change, atMs);
  if (settled.visit.clock.status !== 'focus') return change;
  const away = afterMove(settled, 'away', atMs);
  return away ? { ...away, visit: { ...away.visit, isAwayByCamera: true } } : change;
}

/** A learner set away by `afterCameraOff` resumes focus, or the break of their schedule; an absence by choice stays. */
export function afterCameraOn(change: VisitChange, atMs: number): VisitChange {
  const { clock, isAwayByCamera } = change.visit;
  if (clock.status !== 'away' || !isAwayByCamera) return change;
  return resumeAfter(change, 'focus', atMs);
}

/** A press that reached the server, possibly long after it was made. */
export interface ReceivedPress {
  /** It was received, and made, before. */
  readonly isRepeated: boolean;
  /** Its time according to the browser; not in the future. */
  readonly atMs: number;
  /** The beginning of the visit, or the newest press in it. */
  readonly newestMs: number;
  /** The age of the press, without downtime of the site. */
  readonly ageMs: number;
  /** Whether it was made in a room that requires the camera. */
  readonly needsCamera: boolean;
}

/**
 * The time from which a press counts (decision 090): the browser's time, if that is no older than a forgiven
 * silence; otherwise now. Null if it is ignored: it is repeated, or was made before the visit, a newer press,
 * or the time after which a silent learner's visit ends. In a room that requires the camera, focus begins
 * now, since the camera rule did not check the time before; an absence set by the rule ends now.
 * `startInterval` puts nothing before the last change of the visit.
 */
export function momentOfPress(
  { visit }: VisitChange,
  { move, press }: { readonly move?: TimerMove | undefined; readonly press: ReceivedPress | null },
  nowMs: number,
): number | null {
  if (press === null) return nowMs;
  const isOvertaken = press.atMs < Math.max(press.newestMs, nowMs - SILENT_SEAT_MS);
  if (press.isRepeated || isOvertaken) return null;
  if (press.ageMs > FORGIVEN_SILENCE_MS || visit.isAwayByCamera) return nowMs;
  const { status } = clockAt(visit.clock, press.atMs);
  const beginsFocus = move !== undefined && statusAfter(status, move) === 'focus';
  return beginsFocus && press.needsCamera ? nowMs : press.atMs;
}

/** The same status continues, but counts by another day rule from here. */
export function afterNewRule(change: VisitChange, rule: DayRule, atMs: number): VisitChange {
  const settled = afterPhases(change, atMs);
  const { returnsTo, isAwayByCamera, clock } = settled.visit;
  const { isScheduledBreak } = clock;
  const same = { returnsTo, isAwayByCamera, isScheduledBreak };
  return startInterval(settled, { atMs, counting: rule, ...same });
}

/** Focus counts under another subject from here; in any other status the next focus does. */
export function afterSubject(
  change: VisitChange,
  subjectId: SubjectId | null,
  atMs: number,
): VisitChange {
  if (change.visit.subjectId === subjectId) return change;
  const settled = afterPhases(change, atMs);
  const { visit, closed } = settled;
  return visit.clock.status === 'focus'
    ? startInterval(settled, { atMs, counting: { subjectId } })
    : { visit: { ...visit, subjectId }, closed };
}

/** A silence after which the visit ends: its running interval ends with the last proof of life. */
export function afterAbandoned(change: VisitChange, silence: Silence): VisitChange {
  const { sinceMs: atMs } = silence;
  return startInterval(afterPhases(change, atMs), { atMs, status: 'idle' });
}
