import {
  awayTimer,
  clockAfter,
  type FocusClock,
  type FocusStatus,
  pauseTimer,
  type RoomId,
  resumeTimer,
  startTimer,
  statusAfter,
  type TimerMove,
  timerMoves,
  toggleMove,
  type UserId,
} from '@mogakgong/contract';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { call, shownErrorText } from '../../shared/api/index.ts';
import { serverNowMs, timedCall } from '../../shared/clock/index.ts';
import { expectClock, followOwnClock, loadToday } from '../../shared/today/today.ts';
import { notify } from '../../shared/ui/notify.ts';

/** The call of each move (specification §7). */
const routes = { start: startTimer, pause: pauseTimer, resume: resumeTimer, away: awayTimer };

/** The learner's own timer, as tiles and controls need it. */
export interface OwnTimerView {
  /** What one's own tile shows; null until the server has sent it. */
  readonly clock: FocusClock | null;
  /** A move is under way: of further ones the last waits for its answer. */
  readonly isMoving: boolean;
  /** What a press of the button on the tile does: start, pause or resume. */
  readonly toggle: () => void;
  /** Goes away, or comes back. */
  readonly toggleAway: () => void;
}

/**
 * The learner's own timer in one room (specification §4): a move shows at once and is taken back when
 * it fails. Between a press and its answer no other clock is shown, and older messages do not
 * replace an answer. Today's time follows every move. Knows no framework.
 */
export class OwnTimer {
  readonly store = createStore<OwnTimerView>(() => ({
    clock: null,
    isMoving: false,
    toggle: () => this.#move(toggleMove),
    toggleAway: () => this.#move((status) => (status === 'away' ? 'resume' : 'away')),
  }));
  readonly #seat: { readonly userId: UserId; readonly roomId: RoomId };
  /** The clock that presence has. */
  #present: FocusClock | null = null;
  /** The clock of the last answer, until presence has caught up with it. */
  #answered: FocusClock | null = null;
  /** What a move that is under way will lead to. */
  #expected: FocusClock | null = null;
  /** The status that was chosen last while a move was under way. */
  #nextStatus: FocusStatus | null = null;
  /** Ends what today's time expects of the move under way. */
  #endExpectation = () => {};

  constructor(userId: UserId, roomId: RoomId) {
    this.#seat = { userId, roomId };
  }

  /** Takes the learner's clock from presence; null where presence does not know it. */
  setPresent(clock: FocusClock | null): void {
    this.#present = clock ?? this.#present;
    if (clock !== null) {
      if (clock.sinceMs >= (this.#answered?.sinceMs ?? 0)) this.#answered = null;
      followOwnClock(this.#seat.userId, clock);
    }
    this.#show();
  }

  /**
   * Makes a move, unless it is not allowed. While another one is under way it is shown at once and
   * kept, the last one alone, until the answer.
   */
  #move(choose: (status: FocusStatus) => TimerMove | null): void {
    const { clock, isMoving } = this.store.getState();
    if (clock === null || (isMoving && !navigator.onLine)) return;
    const move = choose(clock.status);
    const status = move && statusAfter(clock.status, move);
    if (move === null || status === null) return;
    if (isMoving) this.#nextStatus = status;
    this.#expect(clock, status);
    if (!isMoving) void this.#send(move);
  }

  /** Shows where a move will lead. Without network the call fails at once: the clock stays. */
  #expect(clock: FocusClock, status: FocusStatus): void {
    const after = navigator.onLine ? clockAfter(clock, status, serverNowMs()) : clock;
    this.#expected = after;
    this.#show();
    if (after !== clock) this.#endExpectation = expectClock(this.#seat.userId, after);
  }

  async #send(move: TimerMove): Promise<void> {
    try {
      const { clock } = await timedCall(() => call(routes[move], { body: this.#seat }));
      this.#answered = clock.sinceMs > (this.#present?.sinceMs ?? 0) ? clock : null;
      followOwnClock(this.#seat.userId, clock);
      this.#endExpectation();
      if (this.#sendNext()) return;
      this.#expected = null;
      this.#show();
    } catch (error) {
      this.#nextStatus = null;
      this.#expected = null;
      this.#show();
      this.#endExpectation();
      void loadToday(this.#seat.userId);
      showFailure(error);
    }
  }

  /** Sends what was chosen while a move was under way; false where no move leads there from here. */
  #sendNext(): boolean {
    const status = this.#nextStatus;
    this.#nextStatus = null;
    const clock = this.#answered ?? this.#present;
    if (status === null || clock === null || clock.status === status) return false;
    const move = timerMoves.find((each) => statusAfter(clock.status, each) === status);
    if (move === undefined) return false;
    this.#expect(clock, status);
    void this.#send(move);
    return true;
  }

  #show(): void {
    const clock = this.#expected ?? this.#answered ?? this.#present;
    this.store.setState({ clock, isMoving: this.#expected !== null });
  }
}

/** Says why a move failed. */
function showFailure(error: unknown): void {
  const text = shownErrorText(error);
  if (text !== null) notify.toast(text, 'bad');
}

/**
 * The learner's own timer in a room.
 * @param present their clock as presence has it, null while it is not known.
 */
export function useOwnTimer(
  userId: UserId,
  roomId: RoomId,
  present: FocusClock | null,
): OwnTimerView {
  const [timer] = useState(() => new OwnTimer(userId, roomId));
  useEffect(() => timer.setPresent(present), [timer, present]);
  return useStore(timer.store);
}
