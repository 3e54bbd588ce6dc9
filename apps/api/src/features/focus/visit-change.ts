import {
  awayMsOf,
  FORGIVEN_SILENCE_MS,
  type FocusClock,
  focusedMs,
  isSilenceAway,
  type SubjectId,
  statusAfter,
  type TimerMove,
} from '@mogakgong/contract';
import { SILENT_SEAT_MS } from '../rooms/index.ts';

/** How a learner's days are counted while an interval runs. */
export interface DayRule {
  readonly timeZone: string;
  readonly dayStartMinutes: number;
}

/** How an interval is counted: in which days, and under which subject if it is focus. */
interface Counting extends DayRule {
  readonly subjectId: SubjectId | null;
}

/** A stretch that has come to its end, of at least a millisecond. */
export interface ClosedInterval extends Counting {
  readonly status: 'focus' | 'pause' | 'away';
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly isSilence: boolean;
}

/** An open visit with what runs in it. */
export interface OpenVisit extends Counting {
  readonly clock: FocusClock;
  /** Found away by silence: what the learner comes back to. Null when away is their own choice. */
  readonly returnsTo: 'focus' | 'pause' | null;
  /** Set away by the camera rule of the room: focus goes on when the camera is back. */
  readonly isAwayByCamera: boolean;
}

/** A visit on its way from what is stored to what will be. */
export interface VisitChange {
  readonly visit: OpenVisit;
  /** What this change closes, in order. */
  readonly closed: readonly ClosedInterval[];
}

/** A learner's silence up to now. */
export interface Silence {
  /** The last proof of life before it. */
  readonly sinceMs: number;
  /** How long it lasts, without the time in which the site itself was not there to listen. */
  readonly lastsMs: number;
}

export const unchanged = (visit: OpenVisit): VisitChange => ({ visit, closed: [] });

interface Turn {
  readonly atMs: number;
  readonly status?: FocusClock['status'];
  readonly returnsTo?: OpenVisit['returnsTo'];
  readonly isAwayByCamera?: boolean;
  readonly counting?: Partial<Counting>;
}

/** What runs in a visit, as it ends at a moment; null for nothing that is counted. */
function intervalUntil(endMs: number, visit: OpenVisit): ClosedInterval | null {
  const { clock, returnsTo, timeZone, dayStartMinutes, subjectId } = visit;
  const { status, sinceMs: startedAtMs } = clock;
  if (status === 'idle' || status === 'ended' || endMs <= startedAtMs) return null;
  const isSilence = returnsTo !== null;
  const counting = { timeZone, dayStartMinutes, subjectId };
  return { status, startedAtMs, endedAtMs: endMs, isSilence, ...counting };
}

/** Closes what runs and lets something run from there; a clock that was set back moves nothing back. */
function turn(
  { visit, closed }: VisitChange,
  { atMs, status, returnsTo = null, isAwayByCamera = false, counting }: Turn,
): VisitChange {
  const { clock, timeZone, dayStartMinutes, subjectId } = visit;
  const endMs = Math.max(atMs, clock.sinceMs);
  const interval = intervalUntil(endMs, visit);
  return {
    visit: {
      ...{ timeZone, dayStartMinutes, subjectId },
      ...counting,
      returnsTo,
      isAwayByCamera,
      clock: {
        status: status ?? clock.status,
        focusMs: focusedMs(clock, endMs),
        awayMs: awayMsOf(clock, endMs),
        sinceMs: endMs,
      },
    },
    closed: interval ? [...closed, interval] : closed,
  };
}

/** A silence that is too long to be forgiven was away (`isSilenceAway`). */
export function afterSilence(change: VisitChange, { sinceMs, lastsMs }: Silence): VisitChange {
  const { status } = change.visit.clock;
  if (!isSilenceAway(status, lastsMs)) return change;
  return turn(change, { atMs: sinceMs, status: 'away', returnsTo: status });
}

/** Who was away by silence goes on with what they did before, from the moment they are heard. */
export function afterReturn(change: VisitChange, silence: Silence, atMs: number): VisitChange {
  const settled = afterSilence(change, silence);
  const { returnsTo } = settled.visit;
  return returnsTo === null ? settled : turn(settled, { atMs, status: returnsTo });
}

/** The learner moves the timer; null when the table of transitions does not allow it. */
export function afterMove(change: VisitChange, move: TimerMove, atMs: number): VisitChange | null {
  const { status } = change.visit.clock;
  const next = statusAfter(status, move);
  if (next === null) return null;
  return next === status ? change : turn(change, { atMs, status: next });
}

/** Without a camera where the room asks for one, focus becomes away; the other statuses stay. */
export function afterCameraOff(change: VisitChange, atMs: number): VisitChange {
  if (change.visit.clock.status !== 'focus') return change;
  const away = afterMove(change, 'away', atMs);
  return away ? { ...away, visit: { ...away.visit, isAwayByCamera: true } } : change;
}

/** Who was set away by `afterCameraOff` goes on focusing; an absence of one's own choice stays. */
export function afterCameraOn(change: VisitChange, atMs: number): VisitChange {
  const { clock, isAwayByCamera } = change.visit;
  if (clock.status !== 'away' || !isAwayByCamera) return change;
  return afterMove(change, 'resume', atMs) ?? change;
}

/** A press that reached the server, perhaps long after it was made. */
export interface ReceivedPress {
  /** Received before, and made then. */
  readonly isRepeated: boolean;
  /** When it was made, as the browser says; not in the future. */
  readonly atMs: number;
  /** When the visit began or the newest press in it was made. */
  readonly newestMs: number;
  /** How long ago that is, without the time in which the site itself was not there to listen. */
  readonly ageMs: number;
  /** Whether it was made in a room that asks for the camera. */
  readonly needsCamera: boolean;
}

/**
 * When a press counts as made (decision 090): as the browser says, if that is no longer ago than a
 * silence that is forgiven; otherwise now. Null when it changes nothing: it came before, or was made
 * before the visit, a newer press, or the time after which a silent learner's visit ends. Where the
 * camera is asked for, focus begins now, since the camera rule did not look at the time before; an
 * absence that the rule has found ends now. `turn` puts nothing before the last change of the visit.
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
  const beginsFocus = move !== undefined && statusAfter(visit.clock.status, move) === 'focus';
  return beginsFocus && press.needsCamera ? nowMs : press.atMs;
}

/** The same goes on, but counts by another rule from here. */
export function afterNewRule(change: VisitChange, rule: DayRule, atMs: number): VisitChange {
  const { returnsTo, isAwayByCamera } = change.visit;
  return turn(change, { atMs, counting: rule, returnsTo, isAwayByCamera });
}

/** Focus counts under another subject from here; in any other status the next focus does. */
export function afterSubject(
  change: VisitChange,
  subjectId: SubjectId | null,
  atMs: number,
): VisitChange {
  const { visit, closed } = change;
  if (visit.subjectId === subjectId) return change;
  return visit.clock.status === 'focus'
    ? turn(change, { atMs, counting: { subjectId } })
    : { visit: { ...visit, subjectId }, closed };
}

/** A silence after which nobody is waited for any more: what ran ends with the last proof of life. */
export function afterAbandoned(change: VisitChange, silence: Silence): VisitChange {
  return turn(change, { atMs: silence.sinceMs, status: 'idle' });
}
