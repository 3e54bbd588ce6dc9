import {
  clockAfter,
  clockAt,
  type FocusClock,
  nextPhaseMs,
  type RoomId,
  ServerTimeMs,
  SubjectId,
  statusAfter,
  type TimerMove,
  type Today,
  timerMoves,
  todayMs,
  type UserId,
} from '@mogakgong/contract';
import * as z from 'zod/mini';

const press = {
  /** The idempotency key: the server makes a resent press only once. */
  id: z.string(),
  /** The time of the press by the server's clock. */
  atMs: ServerTimeMs,
};
/** A press of the timer, or a choice of a subject (decisions 090 and 097). */
export const Press = z.union([
  z.object({ ...press, move: z.enum(timerMoves) }),
  z.object({ ...press, subjectId: z.nullable(SubjectId) }),
]);
export type Press = z.infer<typeof Press>;

/** Everything that this tab knows of the learner's own clock (specification §4). */
export interface OwnClock {
  readonly userId: UserId | null;
  /** The room of the learner's seat in this tab; null without one. */
  readonly roomId: RoomId | null;
  /** The newest clock from the server, without the presses; null until known. */
  readonly known: FocusClock | null;
  /** `known` is an answer, which presence does not include yet. */
  readonly isAhead: boolean;
  /** The presses that the server has not confirmed, oldest first. */
  readonly presses: readonly Press[];
  /** The server could not be reached: the presses wait. */
  readonly isFailing: boolean;
  /** Since when the server counts the learner as away, because it does not hear them; else null. */
  readonly silentSinceMs: number | null;
  /** The end of a visit, or a press in another tab, that the server has not confirmed; else null. */
  readonly expected: { readonly clock: FocusClock; readonly isOfOtherTab: boolean } | null;
  /** The clocks that follow `known`: after each press, and after a long silence. */
  readonly changes: readonly FocusClock[];
  /** The last of them, after the phases of a schedule up to now. */
  readonly shown: FocusClock | null;
}

export const UNKNOWN_CLOCK: OwnClock = {
  userId: null,
  roomId: null,
  known: null,
  isAhead: false,
  presses: [],
  isFailing: false,
  silentSinceMs: null,
  expected: null,
  changes: [],
  shown: null,
};

export type OwnClockEvent =
  /** The learner has a seat in this tab: a new one, or after a reload one with presses that wait. */
  | {
      readonly kind: 'seated';
      readonly roomId: RoomId;
      readonly presses: readonly Press[];
      /** The server's clock when the page was closed; null without one. */
      readonly known?: FocusClock | null;
    }
  /** The tab does not show the seat any more. */
  | { readonly kind: 'closed' }
  /** The seat was given up: presses are not sent to the next one. */
  | { readonly kind: 'discarded' }
  /** A clock from presence, or the server's clock from another tab. */
  | { readonly kind: 'present'; readonly clock: FocusClock }
  | { readonly kind: 'pressed'; readonly press: Press }
  /** The answer to a press: the clock, or null where it was refused or the seat is gone. */
  | { readonly kind: 'answered'; readonly id: string; readonly clock: FocusClock | null }
  /** Time has passed: a phase of the schedule may have begun. */
  | { readonly kind: 'ticked' }
  /** A press did not reach the server. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'silent'; readonly sinceMs: number | null }
  | { readonly kind: 'expected'; readonly expected: OwnClock['expected'] };

/** The own clock after an event, with what is shown at this moment of the server's time. */
export function ownClockAfter(before: OwnClock, event: OwnClockEvent, nowMs: number): OwnClock {
  const after = applied(before, event);
  const changes = after === before ? before.changes : changesOf(after);
  const last = changes.at(-1) ?? after.known;
  const now = last && clockAt(last, nowMs);
  const { shown: shownBefore } = before;
  const isSame = now?.sinceMs === shownBefore?.sinceMs && now?.status === shownBefore?.status;
  if (after === before && isSame) return before;
  return { ...after, changes, shown: now };
}

function applied(before: OwnClock, event: OwnClockEvent): OwnClock {
  const { userId, known, presses } = before;
  switch (event.kind) {
    case 'seated':
      return {
        ...UNKNOWN_CLOCK,
        userId,
        roomId: event.roomId,
        presses: event.presses,
        known: event.known ?? null,
      };
    case 'closed':
      return { ...UNKNOWN_CLOCK, userId };
    case 'discarded':
      return { ...before, presses: [] };
    case 'present': {
      const { clock } = event;
      if (known !== null && before.isAhead && !isCaughtUp(clock, known)) return before;
      return clock === known ? before : { ...before, known: clock, isAhead: false };
    }
    case 'pressed':
      return { ...before, presses: [...presses, event.press] };
    case 'answered': {
      const { id, clock } = event;
      const rest = {
        ...before,
        presses: presses.filter((each) => each.id !== id),
        isFailing: false,
      };
      const isNew = clock !== null && clock.sinceMs >= (known?.sinceMs ?? 0);
      return isNew ? { ...rest, known: clock, isAhead: true } : rest;
    }
    case 'ticked':
      return before;
    case 'failed':
      return { ...before, isFailing: true };
    case 'silent':
      return { ...before, silentSinceMs: event.sinceMs };
    case 'expected':
      return { ...before, expected: event.expected };
  }
}

/** Whether presence includes an answer; a late press may begin with the state before it. */
function isCaughtUp(clock: FocusClock, answered: FocusClock): boolean {
  if (clock.sinceMs === answered.sinceMs) return clock.status === answered.status;
  return clock.sinceMs > answered.sinceMs;
}

/** A move that the table of transitions does not allow, and a choice of a subject, change no clock. */
function changesOf({ known, presses, silentSinceMs }: OwnClock): readonly FocusClock[] {
  const changes: FocusClock[] = [];
  let clock = known;
  const change = (move: TimerMove, atMs: number) => {
    const at = clock && clockAt(clock, atMs);
    const status = at && statusAfter(at.status, move);
    if (at === null || status === null || status === at.status) return;
    clock = clockAfter(at, status, atMs);
    changes.push(clock);
  };
  for (const each of presses) if ('move' in each) change(each.move, each.atMs);
  // After a silence longer than the grace period the server counts the learner as away from its beginning.
  if (silentSinceMs !== null) change('away', silentSinceMs);
  return changes;
}

/** The clock on the learner's own tile, bar, window and title; null until the server has sent it. */
export const clockOf = ({ shown }: OwnClock): FocusClock | null => shown;

/** The state that other tabs of this browser expect; null while nothing is pending here. */
export function expectedHere({ changes, expected }: OwnClock): FocusClock | null {
  return (expected?.isOfOtherTab ? null : expected?.clock) ?? changes.at(-1) ?? null;
}

/** Presses are being sent. */
export const isMoving = ({ presses, isFailing }: OwnClock) => presses.length > 0 && !isFailing;

/** Presses wait in this tab until the server can be reached. */
export const isWaiting = ({ presses, isFailing }: OwnClock) => presses.length > 0 && isFailing;

/** A choice of a subject that the server has not confirmed; undefined when none waits. */
export function unsentSubjectId({ presses }: OwnClock): SubjectId | null | undefined {
  return presses.findLast((each) => 'subjectId' in each)?.subjectId;
}

/**
 * A move of another tab expires after this time: the tab may be gone. A press of this tab may wait for
 * minutes (decision 090).
 */
const OTHERS_EXPECTED_FOR_MS = 15_000;

/**
 * The learner's day as it is shown: with every change that the server's state of it does not include. A
 * pending change applies to every state; a confirmed one only to an older state (decision 021).
 */
export function todayWith({ known, changes, expected }: OwnClock, today: Today): Today {
  const isNewer = known !== null && known.sinceMs >= today.serverNowMs;
  const isExpected =
    expected !== null &&
    !(expected.isOfOtherTab && today.serverNowMs - expected.clock.sinceMs > OTHERS_EXPECTED_FOR_MS);
  const clocks = [...(isNewer ? [known] : []), ...changes, ...(isExpected ? [expected.clock] : [])];
  return clocks.reduce(todayAfter, today);
}

/**
 * Today after the learner's status changed. It does not change beyond the end of the day: the server knows
 * the next one.
 */
function todayAfter(today: Today, clock: FocusClock): Today {
  const { status, sinceMs, schedule } = clock;
  if (sinceMs >= today.dayEndsAtMs) return today;
  const { phases: before, ...rest } = today;
  const phases = schedule && nextPhaseMs(clock) !== null ? { ...schedule, sinceMs } : undefined;
  const isFocusing = status === 'focus';
  const isSame = isFocusing === (today.runningSinceMs !== null) && !before && !phases;
  if (isSame) return today;
  const focusMs = todayMs(today, sinceMs);
  const runningSinceMs = isFocusing ? sinceMs : null;
  return { ...rest, focusMs, runningSinceMs, ...(phases && { phases }) };
}
