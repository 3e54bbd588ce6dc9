import {
  clockAfter,
  type FocusClock,
  type FocusStatus,
  statusAfter,
  type TimerMove,
  type TimerReply,
  timerMoves,
  toggleMove,
} from '@mogakgong/contract';
import { serverNowMs } from '../../shared/clock/index.ts';

interface OwnTimerParts {
  readonly send: (move: TimerMove) => Promise<TimerReply>;
  /** The clock that a move will lead to, before it is answered. */
  readonly onExpected: (clock: FocusClock) => void;
  /** The clock that it led to. */
  readonly onAnswered: (clock: FocusClock) => void;
  /** It is taken back. */
  readonly onFailed: (error: unknown) => void;
}

export interface OwnTimerSnapshot {
  /** What one's own tile shows; null until the server has told it. */
  readonly clock: FocusClock | null;
  /** A move is under way: of further ones the last waits for its answer. */
  readonly isMoving: boolean;
}

/**
 * The learner's own timer in one room (specification §4): a move shows at once and is taken back when
 * it fails. Between a press and its answer nothing else that arrives is shown, and an answer is not
 * overtaken by older news. Knows no framework.
 */
export class OwnTimer {
  readonly #parts: OwnTimerParts;
  readonly #listeners = new Set<() => void>();
  /** What the room's presence says. */
  #told: FocusClock | null = null;
  /** What the last answer said, until presence has caught up with it. */
  #answered: FocusClock | null = null;
  /** What a move that is under way will lead to. */
  #expected: FocusClock | null = null;
  /** What was pressed for last while a move was under way. */
  #wished: FocusStatus | null = null;
  #snapshot: OwnTimerSnapshot = { clock: null, isMoving: false };

  constructor(parts: OwnTimerParts) {
    this.#parts = parts;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): OwnTimerSnapshot => this.#snapshot;

  /** Takes what presence says about the learner; null when it says nothing. */
  noteClock(clock: FocusClock | null): void {
    this.#told = clock ?? this.#told;
    const hasCaughtUp = clock !== null && clock.sinceMs >= (this.#answered?.sinceMs ?? 0);
    if (hasCaughtUp) this.#answered = null;
    this.#show();
  }

  /** What a press of the button on the tile does: start, pause or resume. */
  toggle(): void {
    const status = this.#snapshot.clock?.status;
    const move = status && toggleMove(status);
    if (move) this.move(move);
  }

  /** Goes away, or comes back. */
  toggleAway(): void {
    this.move(this.#snapshot.clock?.status === 'away' ? 'resume' : 'away');
  }

  /**
   * Makes a move, unless it is not allowed or changes nothing. While another one is under way it is
   * shown at once and kept, the last one alone, until the answer.
   */
  move(move: TimerMove): void {
    const { clock, isMoving } = this.#snapshot;
    if (clock === null || (isMoving && !navigator.onLine)) return;
    const status = statusAfter(clock.status, move);
    if (status === null || status === clock.status) return;
    if (isMoving) this.#wished = status;
    this.#expect(clock, status);
    if (!isMoving) void this.#send(move);
  }

  /** Shows where a move will lead. Without network nothing is promised: the call says at once that it fails. */
  #expect(clock: FocusClock, status: FocusStatus): void {
    const after = navigator.onLine ? clockAfter(clock, status, serverNowMs()) : clock;
    this.#expected = after;
    this.#show();
    if (after !== clock) this.#parts.onExpected(after);
  }

  async #send(move: TimerMove): Promise<void> {
    try {
      const { clock } = await this.#parts.send(move);
      const isNews = clock.sinceMs > (this.#told?.sinceMs ?? 0);
      this.#answered = isNews ? clock : null;
      this.#parts.onAnswered(clock);
      if (this.#sendWished()) return;
      this.#expected = null;
      this.#show();
    } catch (error) {
      this.#wished = null;
      this.#expected = null;
      this.#show();
      this.#parts.onFailed(error);
    }
  }

  /** Sends what was wished while a move was under way; false when it leads nowhere from here. */
  #sendWished(): boolean {
    const wished = this.#wished;
    this.#wished = null;
    const clock = this.#answered ?? this.#told;
    if (wished === null || clock === null || clock.status === wished) return false;
    const move = timerMoves.find((each) => statusAfter(clock.status, each) === wished);
    if (move === undefined) return false;
    this.#expect(clock, wished);
    void this.#send(move);
    return true;
  }

  #show(): void {
    const clock = this.#expected ?? this.#answered ?? this.#told;
    const isMoving = this.#expected !== null;
    if (clock === this.#snapshot.clock && isMoving === this.#snapshot.isMoving) return;
    this.#snapshot = { clock, isMoving };
    for (const listener of [...this.#listeners]) listener();
  }
}
