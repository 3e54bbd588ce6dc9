import {
  awayTimer,
  chooseSubject,
  clockAfter,
  FORGIVEN_SILENCE_MS,
  type FocusClock,
  type FocusStatus,
  isSilenceAway,
  pauseTimer,
  type RoomId,
  resumeTimer,
  type SubjectId,
  startTimer,
  statusAfter,
  type TimerMove,
  toggleMove,
  type UserId,
} from '@mogakgong/contract';
import { createStore } from 'zustand/vanilla';
import { ApiError, call, shownErrorText } from '../../shared/api/index.ts';
import { onWake, serverNowMs, timedCall } from '../../shared/clock/index.ts';
import { randomId } from '../../shared/lib/random-id.ts';
import { applyOwnClock, expectClock, loadToday } from '../../shared/today/today.ts';
import { notify } from '../../shared/ui/notify.ts';
import { type SubjectChoice, takeCurrentSubject } from './current-subject.ts';
import { type Press, readPresses, storePresses } from './unsent-presses.ts';

/** The route of each move (specification §7). */
const routes = { start: startTimer, pause: pauseTimer, resume: resumeTimer, away: awayTimer };

/** Delays before a press is sent again, randomised by half so that a room does not retry all at once. */
const RETRY_MS = [2_000, 4_000, 8_000] as const;

/** The learner's own timer as tiles and controls need it. */
export interface OwnTimerView extends SubjectChoice {
  /** The clock on the learner's own tile; null until the server has sent it. */
  readonly clock: FocusClock | null;
  /** Presses are being sent. */
  readonly isMoving: boolean;
  /** Presses wait in this tab until the server can be reached. */
  readonly isWaiting: boolean;
  /** The action of the tile's button: start, pause or resume. */
  readonly toggle: () => void;
  /** Goes away, or comes back. */
  readonly toggleAway: () => void;
}

/**
 * The learner's own timer in one seat (specification §4). A press shows at once, is kept in this tab with its
 * time, and is sent as soon as the server can be reached: in order, each exactly once (decision 090), choices
 * of a subject among them (097). A refused press is reverted. Messages older than an answer do not replace
 * it. Today's time follows every press. Independent of any framework.
 */
export class OwnTimer {
  readonly store = createStore<OwnTimerView>(() => ({
    clock: null,
    isMoving: false,
    isWaiting: false,
    unsentSubjectId: undefined,
    toggle: () => this.#move(toggleMove),
    toggleAway: () => this.#move((status) => (status === 'away' ? 'resume' : 'away')),
    chooseSubject: (subjectId) => this.#press({ subjectId }),
  }));
  readonly #seat: { readonly userId: UserId; readonly roomId: RoomId };
  readonly #stopWaking: () => void;
  /** The clock from presence. */
  #present: FocusClock | null = null;
  /** The clock of the last answer, until presence has caught up with it. */
  #answered: FocusClock | null = null;
  /** Presses that the server has not confirmed, oldest first. */
  #presses: readonly Press[];
  #isSending = false;
  #isClosed = false;
  #failures = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** Since when the browser and the server have not heard from each other; null while connected. */
  #silentSinceMs: number | null = null;
  #silenceTimer: ReturnType<typeof setTimeout> | undefined;
  /** The clock that today's time expects, and the function that ends the expectation. */
  #expected: FocusClock | null = null;
  #endExpectation = () => {};

  constructor(userId: UserId, roomId: RoomId) {
    this.#seat = { userId, roomId };
    this.#presses = readPresses(userId, roomId, serverNowMs());
    this.#stopWaking = onWake(() => this.sendNow());
    this.sendNow();
  }

  /** Takes the learner's clock from presence; null where presence does not have it. */
  setPresent(clock: FocusClock | null): void {
    if (clock === null) return;
    this.#present = clock;
    if (this.#answered !== null && isCaughtUp(clock, this.#answered)) this.#answered = null;
    applyOwnClock(this.#seat.userId, clock);
    this.#show();
  }

  /**
   * All connections are lost, or one is back. After a silence longer than the grace period the server counts
   * the learner as away from its beginning; the clock here does the same.
   */
  setSilent(isSilent: boolean): void {
    if (isSilent === (this.#silentSinceMs !== null)) return;
    clearTimeout(this.#silenceTimer);
    this.#silentSinceMs = isSilent ? serverNowMs() : null;
    if (isSilent) this.#silenceTimer = setTimeout(() => this.#show(), FORGIVEN_SILENCE_MS + 1);
    this.#show();
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
    for (let press = this.#presses[0]; press; press = this.#presses[0]) {
      await this.#sendOne(press).catch((error: unknown) => {
        if (isPassing(error)) throw error;
      });
      this.#keep(this.#presses.filter((each) => each !== press));
    }
  }

  /** The seat is gone: its presses are not sent to the next one. */
  discard(): void {
    this.#keep([]);
    this.#show();
  }

  /** Unanswered presses stay for the next timer of this seat, which sends them under the same ids. */
  close(): void {
    this.#isClosed = true;
    this.#stopWaking();
    clearTimeout(this.#retryTimer);
    clearTimeout(this.#silenceTimer);
    this.#endExpectation();
  }

  /** Moves the timer, unless the table of transitions does not allow it. */
  #move(choose: (status: FocusStatus) => TimerMove | null): void {
    const { clock } = this.store.getState();
    const move = clock && choose(clock.status);
    if (clock === null || move === null || statusAfter(clock.status, move) === null) return;
    this.#press({ move });
  }

  /** Shows and keeps a press. */
  #press(what: { readonly move: TimerMove } | { readonly subjectId: SubjectId | null }): void {
    // After a correction of the clock, the time must still follow the press before it.
    const atMs = Math.max(serverNowMs(), this.store.getState().clock?.sinceMs ?? 0);
    this.#keep([...this.#presses, { id: randomId(), atMs, ...what }]);
    this.#show();
    this.sendNow();
  }

  /** Sends the kept presses, one after the other, until all are answered or the server cannot be reached. */
  async #send(): Promise<void> {
    this.#isSending = true;
    for (let press = this.#presses[0]; press; press = this.#presses[0]) {
      this.#show();
      try {
        const clock = await this.#sendOne(press);
        if (this.#isClosed) return;
        this.#failures = 0;
        if (clock !== null) {
          if (clock.sinceMs >= (this.#present?.sinceMs ?? 0)) this.#answered = clock;
          applyOwnClock(this.#seat.userId, clock);
        }
      } catch (error) {
        if (this.#isClosed) return;
        if (isPassing(error) || (isInternal(error) && this.#failures < INTERNAL_RETRIES)) {
          this.#sendLater(error);
          break;
        }
        this.#failures = 0;
        showFailure(error);
        void loadToday(this.#seat.userId);
      }
      // The seat may have been given up meanwhile.
      this.#keep(this.#presses.filter((each) => each !== press));
    }
    this.#isSending = false;
    this.#show();
  }

  /** The clock after a press; null where the learner no longer has a seat. */
  async #sendOne({ id, atMs, ...what }: Press): Promise<FocusClock | null> {
    const press = { id, atMs };
    if ('move' in what) {
      const body = { ...this.#seat, press };
      return (await timedCall(() => call(routes[what.move], { body }))).clock;
    }
    const body = { subjectId: what.subjectId, press };
    const { clock, currentId } = await timedCall(() => call(chooseSubject, { body }));
    takeCurrentSubject(this.#seat.userId, currentId);
    return clock;
  }

  #sendLater({ retryAfterMs }: ApiError): void {
    const waitMs = RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)] ?? RETRY_MS[0];
    this.#failures += 1;
    clearTimeout(this.#retryTimer);
    const spreadMs = Math.max(waitMs * (0.5 + Math.random()), retryAfterMs);
    this.#retryTimer = setTimeout(() => this.sendNow(), spreadMs);
  }

  #keep(presses: readonly Press[]): void {
    const { userId, roomId } = this.#seat;
    this.#presses = presses;
    storePresses(userId, roomId, presses);
  }

  /** Shows the last server state with the kept presses applied. */
  #show(): void {
    const known = this.#answered ?? this.#present;
    const clock = this.#silenced(this.#presses.reduce(clockAfterPress, known));
    const hasUnsent = this.#presses.length > 0;
    this.#expect(clock === known ? null : clock);
    this.store.setState({
      clock,
      unsentSubjectId: this.#presses.findLast((press) => 'subjectId' in press)?.subjectId,
      isMoving: hasUnsent && this.#isSending && this.#failures === 0,
      isWaiting: hasUnsent && this.#failures > 0,
    });
  }

  /** Lets today's time follow presses that the server does not know yet. */
  #expect(clock: FocusClock | null): void {
    if (clock?.status === this.#expected?.status && clock?.sinceMs === this.#expected?.sinceMs)
      return;
    this.#expected = clock;
    const endLast = this.#endExpectation;
    this.#endExpectation = clock === null ? () => {} : expectClock(this.#seat.userId, clock);
    endLast();
  }

  /** A learner's clock after a silence longer than the grace period. */
  #silenced(clock: FocusClock | null): FocusClock | null {
    const sinceMs = this.#silentSinceMs;
    if (clock === null || sinceMs === null) return clock;
    const isAway = isSilenceAway(clock.status, serverNowMs() - sinceMs);
    return isAway ? clockAfter(clock, 'away', sinceMs) : clock;
  }
}

/** A choice of a subject changes nothing on a clock. */
function clockAfterPress(clock: FocusClock | null, press: Press): FocusClock | null {
  if (clock === null || !('move' in press)) return clock;
  const status = statusAfter(clock.status, press.move);
  return status ? clockAfter(clock, status, press.atMs) : clock;
}

/** Whether presence includes an answer; a late press may begin with the state before it. */
function isCaughtUp(clock: FocusClock, answered: FocusClock): boolean {
  if (clock.sinceMs === answered.sinceMs) return clock.status === answered.status;
  return clock.sinceMs > answered.sinceMs;
}

/** No answer, or a temporary one: too many calls, a server that stops or has no database. */
const PASSING = [0, 429, 502, 503, 504];

/** The server may fail at this press every time: later presses do not wait forever. */
const INTERNAL_RETRIES = 4;

function isInternal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 500;
}

function isPassing(error: unknown): error is ApiError {
  return error instanceof ApiError && PASSING.includes(error.status);
}

/** Shows why a press was refused. */
function showFailure(error: unknown): void {
  const text = shownErrorText(error);
  if (text !== null) notify.toast(text, 'bad');
}
