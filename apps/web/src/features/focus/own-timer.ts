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
import { expectClock, followOwnClock, loadToday } from '../../shared/today/today.ts';
import { notify } from '../../shared/ui/notify.ts';
import { type SubjectChoice, takeCurrentSubject } from './current-subject.ts';
import { type Press, readPresses, storePresses } from './unsent-presses.ts';

/** The call of each move (specification §7). */
const routes = { start: startTimer, pause: pauseTimer, resume: resumeTimer, away: awayTimer };

/** Waits before a press is sent again, spread by half so that a room does not come back all at once. */
const RETRY_MS = [2_000, 4_000, 8_000] as const;

/** The learner's own timer, as tiles and controls need it. */
export interface OwnTimerView extends SubjectChoice {
  /** What one's own tile shows; null until the server has sent it. */
  readonly clock: FocusClock | null;
  /** Presses are being sent. */
  readonly isMoving: boolean;
  /** Presses wait in this tab until the server can be reached. */
  readonly isWaiting: boolean;
  /** What a press of the button on the tile does: start, pause or resume. */
  readonly toggle: () => void;
  /** Goes away, or comes back. */
  readonly toggleAway: () => void;
}

/**
 * The learner's own timer in one seat (specification §4). A press shows at once, is kept in this tab with
 * its moment, and sent as soon as the server can be reached: in the order of the presses, each made once
 * (decision 090), choices of a subject among them (097). A refused one is taken back. Older messages do not replace an answer. Today's time
 * follows every press. Knows no framework.
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
  /** The clock that presence has. */
  #present: FocusClock | null = null;
  /** The clock of the last answer, until presence has caught up with it. */
  #answered: FocusClock | null = null;
  /** What the server has not confirmed, oldest first. */
  #presses: readonly Press[];
  #isSending = false;
  #isClosed = false;
  #failures = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;
  /** Since when nothing is heard of the server, nor the server of the learner; null while it is. */
  #silentSinceMs: number | null = null;
  #silenceTimer: ReturnType<typeof setTimeout> | undefined;
  /** What today's time expects, and how to end that. */
  #expected: FocusClock | null = null;
  #endExpectation = () => {};

  constructor(userId: UserId, roomId: RoomId) {
    this.#seat = { userId, roomId };
    this.#presses = readPresses(userId, roomId, serverNowMs());
    this.#stopWaking = onWake(() => this.sendNow());
    this.sendNow();
  }

  /** Takes the learner's clock from presence; null where presence does not know it. */
  setPresent(clock: FocusClock | null): void {
    if (clock === null) return;
    this.#present = clock;
    if (this.#answered !== null && isCaughtUp(clock, this.#answered)) this.#answered = null;
    followOwnClock(this.#seat.userId, clock);
    this.#show();
  }

  /**
   * All connections are lost since now, or one is back. The server calls who is silent for longer than is
   * forgiven away from the beginning of the silence: so does the clock here.
   */
  setSilent(isSilent: boolean): void {
    if (isSilent === (this.#silentSinceMs !== null)) return;
    clearTimeout(this.#silenceTimer);
    this.#silentSinceMs = isSilent ? serverNowMs() : null;
    if (isSilent) this.#silenceTimer = setTimeout(() => this.#show(), FORGIVEN_SILENCE_MS + 1);
    this.#show();
  }

  /** The server may be reachable: what waits need not wait any longer. */
  sendNow(): void {
    clearTimeout(this.#retryTimer);
    if (!this.#isSending && this.#presses.length > 0) void this.#send();
  }

  /**
   * The learner leaves: sends what waits once more, also when this timer is closed meanwhile, and returns
   * the end of that; null where nothing waits. Rejects, and keeps it, when the server cannot be reached.
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

  /** The seat is gone: nothing is sent to the next one. */
  discard(): void {
    this.#keep([]);
    this.#show();
  }

  /** What is not answered stays for the next timer of this seat, which sends it under the same id. */
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
    // Late by a correction of the clock, it must still come after what it follows.
    const atMs = Math.max(serverNowMs(), this.store.getState().clock?.sinceMs ?? 0);
    this.#keep([...this.#presses, { id: randomId(), atMs, ...what }]);
    this.#show();
    this.sendNow();
  }

  /** Sends what is kept, one after the other, until all is answered or the server cannot be reached. */
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
          followOwnClock(this.#seat.userId, clock);
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

  /** The clock after a press; null where the learner has no seat any more. */
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

  /** Shows where the presses will lead from what the server said last. */
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

  /** Lets today's time follow what the server does not know yet, or no more. */
  #expect(clock: FocusClock | null): void {
    if (clock?.status === this.#expected?.status && clock?.sinceMs === this.#expected?.sinceMs)
      return;
    this.#expected = clock;
    const endLast = this.#endExpectation;
    this.#endExpectation = clock === null ? () => {} : expectClock(this.#seat.userId, clock);
    endLast();
  }

  /** The clock of somebody who is silent for longer than is forgiven. */
  #silenced(clock: FocusClock | null): FocusClock | null {
    const sinceMs = this.#silentSinceMs;
    if (clock === null || sinceMs === null) return clock;
    const isAway = isSilenceAway(clock.status, serverNowMs() - sinceMs);
    return isAway ? clockAfter(clock, 'away', sinceMs) : clock;
  }
}

/** A choice of a subject changes nothing that a clock shows. */
function clockAfterPress(clock: FocusClock | null, press: Press): FocusClock | null {
  if (clock === null || !('move' in press)) return clock;
  const status = statusAfter(clock.status, press.move);
  return status ? clockAfter(clock, status, press.atMs) : clock;
}

/** Whether presence knows of an answer; a late press may begin with what was there before it. */
function isCaughtUp(clock: FocusClock, answered: FocusClock): boolean {
  if (clock.sinceMs === answered.sinceMs) return clock.status === answered.status;
  return clock.sinceMs > answered.sinceMs;
}

/** No answer, or one that is of the moment: too many calls, a server that stops or has no database. */
const PASSING = [0, 429, 502, 503, 504];

/** The server may fail at this press each time: those after it do not wait for ever. */
const INTERNAL_RETRIES = 4;

function isInternal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 500;
}

function isPassing(error: unknown): error is ApiError {
  return error instanceof ApiError && PASSING.includes(error.status);
}

/** Says why a press was refused. */
function showFailure(error: unknown): void {
  const text = shownErrorText(error);
  if (text !== null) notify.toast(text, 'bad');
}
