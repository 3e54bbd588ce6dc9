import {
  awayTimer,
  chooseSubject as chooseSubjectRoute,
  FORGIVEN_SILENCE_MS,
  FocusClock,
  type FocusStatus,
  pauseTimer,
  type RoomId,
  resumeTimer,
  ServerTimeMs,
  type SubjectId,
  startTimer,
  statusAfter,
  type TimerMove,
  toggleMove,
  type UserId,
} from '@mogakgong/contract';
import * as z from 'zod/mini';
import { ApiError, call, isPassing, shownErrorText } from '../../shared/api/index.ts';
import { onWake, serverNowMs, timedCall } from '../../shared/clock/index.ts';
import { storageKeys } from '../../shared/lib/storage-keys.ts';
import { readStored, writeStored } from '../../shared/lib/stored.ts';
import { clockOf, type OwnClockEvent, Press } from '../../shared/today/own-clock.ts';
import { changeOwnClock, loadToday, takeToday, useOwnClock } from '../../shared/today/today.ts';
import { notify } from '../../shared/ui/notify.ts';
import { takeCurrentSubject } from './current-subject.ts';

/** The route of each move (specification §7). */
const routes = { start: startTimer, pause: pauseTimer, resume: resumeTimer, away: awayTimer };

/** Delays before a press is sent again, randomised by half so that a room does not retry all at once. */
const RETRY_MS = [2_000, 4_000, 8_000] as const;

/** A seat is given up after this long without a sign of life, and its presses with it. */
const KEPT_MS = 10 * 60_000;

/** The action of the tile's button: start, pause or resume. */
export const toggleTimer = (): void => move(toggleMove);

/** Goes away, or comes back. */
export const toggleAway = (): void => move((status) => (status === 'away' ? 'resume' : 'away'));

/** Counts focus under a subject, or none, from now on. */
export const chooseSubject = (subjectId: SubjectId | null): void => press({ subjectId });

/** Moves the timer, unless the table of transitions does not allow it. */
function move(choose: (status: FocusStatus) => TimerMove | null): void {
  const clock = clockOf(useOwnClock.getState());
  const chosen = clock && choose(clock.status);
  if (clock === null || chosen === null || statusAfter(clock.status, chosen) === null) return;
  press({ move: chosen });
}

function press(
  what: { readonly move: TimerMove } | { readonly subjectId: SubjectId | null },
): void {
  const own = useOwnClock.getState();
  if (own.userId === null || own.roomId === null) return;
  // After a correction of the clock, the time must still follow the press before it.
  const atMs = Math.max(serverNowMs(), clockOf(own)?.sinceMs ?? 0);
  const press = { id: crypto.randomUUID(), atMs, ...what };
  changeOwnClock(own.userId, { kind: 'pressed', press });
}

interface Seat {
  readonly userId: UserId;
  readonly roomId: RoomId;
}

/** A tab has one seat. */
let current: OwnTimer | null = null;

/**
 * Sends the presses of one seat (specification §4). A press shows at once, is kept in this tab with its time,
 * and is sent as soon as the server can be reached: in order, each exactly once (decision 090), choices of a
 * subject among them (097). A refused press is reverted. Independent of any framework.
 */
export class OwnTimer {
  readonly #seat: Seat;
  readonly #stops: readonly (() => void)[];
  #isSending = false;
  #isClosed = false;
  #failures = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** When the server has last heard this page, before a reload; null once it is heard again. */
  #heardBeforeMs: number | null;
  #silentSinceMs: number | null = null;
  #silenceTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(userId: UserId, roomId: RoomId) {
    current?.close();
    current = this;
    this.#seat = { userId, roomId };
    const last = readLastClock(this.#seat);
    this.#heardBeforeMs = last?.heardMs ?? null;
    const known = last?.clock ?? null;
    this.#change({ kind: 'seated', roomId, presses: readPresses(this.#seat), known });
    this.#stops = [
      useOwnClock.subscribe(({ presses }, before) => {
        if (presses === before.presses) return;
        storePresses(this.#seat, presses);
        this.sendNow();
      }),
      onWake(() => this.sendNow()),
      onPageHide(() => this.#keepClock()),
    ];
    this.sendNow();
  }

  /** Takes the learner's clock from presence; null where presence does not have it. */
  setPresent(clock: FocusClock | null): void {
    if (clock === null) return;
    this.#heardBeforeMs = null;
    this.#change({ kind: 'present', clock });
  }

  /**
   * All connections are lost, or one is back. After a silence longer than the grace period the server counts
   * the learner as away from its beginning; the clock here does the same.
   */
  setSilent(isSilent: boolean): void {
    if (isSilent === (this.#silentSinceMs !== null)) return;
    clearTimeout(this.#silenceTimer);
    const show = (sinceMs: number | null) => this.#change({ kind: 'silent', sinceMs });
    this.#silentSinceMs = isSilent ? (this.#heardBeforeMs ?? serverNowMs()) : null;
    if (this.#silentSinceMs === null) show(null);
    else {
      const awayInMs = this.#silentSinceMs + FORGIVEN_SILENCE_MS + 1 - serverNowMs();
      this.#silenceTimer = setTimeout(show, Math.max(0, awayInMs), this.#silentSinceMs);
    }
  }

  /** For a reload without a network. */
  #keepClock(): void {
    const heardMs = this.#silentSinceMs ?? this.#heardBeforeMs ?? serverNowMs();
    storeLastClock(this.#seat, { clock: useOwnClock.getState().known, heardMs });
  }

  /** The server may be reachable again: waiting presses are sent now. */
  sendNow(): void {
    clearTimeout(this.#retryTimer);
    if (!this.#isSending && this.#presses.length > 0) void this.#send();
  }

  /**
   * The learner leaves: sends waiting presses once more, even if this timer is closed meanwhile. Returns null
   * where none waits. Rejects, and keeps them, when the server cannot be reached.
   */
  sendLast(): Promise<void> | null {
    return this.#presses.length === 0 ? null : this.#sendLast();
  }

  async #sendLast(): Promise<void> {
    for (let next = this.#presses[0]; next; next = this.#presses[0]) {
      const clock = await this.#sendOne(next).catch((error: unknown) => {
        if (isPassing(error)) throw error;
        return null;
      });
      this.#settle(next, clock);
    }
  }

  /** The seat is gone: its presses are not sent to the next one. */
  discard(): void {
    if (this.#isClosed) storePresses(this.#seat, []);
    else this.#change({ kind: 'discarded' });
  }

  /** Unanswered presses stay for the next timer of this seat, which sends them under the same ids. */
  close(): void {
    if (this.#isClosed) return;
    for (const stop of this.#stops) stop();
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#silenceTimer);
    this.#change({ kind: 'closed' });
    this.#isClosed = true;
  }

  /** A closed timer does not change the clock: the next seat may have it. */
  #change(event: OwnClockEvent): void {
    if (!this.#isClosed) changeOwnClock(this.#seat.userId, event);
  }

  /** Presses that the server has not confirmed, oldest first. */
  get #presses(): readonly Press[] {
    return this.#isClosed ? readPresses(this.#seat) : useOwnClock.getState().presses;
  }

  /** Sends the kept presses, one after the other, until all are answered or the server cannot be reached. */
  async #send(): Promise<void> {
    this.#isSending = true;
    for (let next = this.#presses[0]; next; next = this.#presses[0]) {
      let clock: FocusClock | null = null;
      try {
        clock = await this.#sendOne(next);
      } catch (error) {
        if (this.#isClosed) return;
        if (isPassing(error) || (isInternal(error) && this.#failures < INTERNAL_RETRIES)) {
          this.#sendLater(error);
          break;
        }
        showFailure(error);
        void loadToday(this.#seat.userId);
      }
      if (this.#isClosed) return;
      this.#failures = 0;
      this.#settle(next, clock);
    }
    this.#isSending = false;
  }

  /** The clock after a press; null where the learner no longer has a seat. */
  async #sendOne({ id, atMs, ...what }: Press): Promise<FocusClock | null> {
    const { userId } = this.#seat;
    const press = { id, atMs };
    if ('move' in what) {
      const body = { ...this.#seat, press };
      const { clock, today } = await timedCall(() => call(routes[what.move], { body }));
      if (today) takeToday(userId, today);
      return clock ?? useOwnClock.getState().changes[0] ?? null;
    }
    const body = { subjectId: what.subjectId, press };
    const { clock, currentId } = await timedCall(() => call(chooseSubjectRoute, { body }));
    takeCurrentSubject(userId, currentId);
    return clock;
  }

  /** A press is answered; the seat may have been given up meanwhile. */
  #settle({ id }: Press, clock: FocusClock | null): void {
    const rest = this.#presses.filter((each) => each.id !== id);
    if (this.#isClosed) storePresses(this.#seat, rest);
    else this.#change({ kind: 'answered', id, clock });
  }

  #sendLater({ retryAfterMs }: ApiError): void {
    const waitMs = RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)] ?? RETRY_MS[0];
    this.#failures += 1;
    clearTimeout(this.#retryTimer);
    const spreadMs = Math.max(waitMs * (0.5 + Math.random()), retryAfterMs);
    this.#retryTimer = setTimeout(() => this.sendNow(), spreadMs);
    this.#change({ kind: 'failed' });
  }
}

/** Calls back when the page is closed or reloaded; returns a cleanup function. */
function onPageHide(listener: () => void): () => void {
  window.addEventListener('pagehide', listener);
  return () => window.removeEventListener('pagehide', listener);
}

/** The server's clock when the page was closed, and when the server had last heard the page. */
const LastClock = z.object({ clock: z.nullable(FocusClock), heardMs: ServerTimeMs });
type LastClock = z.infer<typeof LastClock>;

function storeLastClock(seat: Seat, last: LastClock): void {
  writeStored(`${keyOf(seat)}.clock`, JSON.stringify(last), 'tab');
}

/** Null for a seat that is given up by now. */
function readLastClock(seat: Seat): LastClock | null {
  try {
    const last = LastClock.parse(JSON.parse(readStored(`${keyOf(seat)}.clock`, 'tab') ?? ''));
    return serverNowMs() - last.heardMs < KEPT_MS ? last : null;
  } catch {
    return null;
  }
}

const Presses = z.array(Press);

const keyOf = ({ userId, roomId }: Seat) =>
  `${storageKeys.unsentPresses}.${userId}.${roomId}` as const;

function storePresses(seat: Seat, presses: readonly Press[]): void {
  writeStored(keyOf(seat), presses.length === 0 ? null : JSON.stringify(presses), 'tab');
}

/** The learner's unconfirmed presses in their seat, oldest first; kept over a reload. */
function readPresses(seat: Seat): readonly Press[] {
  try {
    const stored = Presses.parse(JSON.parse(readStored(keyOf(seat), 'tab') ?? ''));
    return stored.filter(({ atMs }) => serverNowMs() - atMs < KEPT_MS);
  } catch {
    return [];
  }
}

/** The server may fail at this press every time: later presses do not wait forever. */
const INTERNAL_RETRIES = 4;

function isInternal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 500;
}

/** Shows why a press was refused. */
function showFailure(error: unknown): void {
  const text = shownErrorText(error);
  if (text !== null) notify.toast(text, 'bad');
}
