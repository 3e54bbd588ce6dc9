import type { Clock } from './clock.ts';

/** A tick that comes later than this after the one before: the process was stopped meanwhile. */
const STALL_MS = 2_000;

/** A session with a deadline or heart-beats to keep. */
export interface Swept {
  onTick(nowMs: number): void;
}

/** One timer for the deadlines and heart-beats of all sessions; it calls each at every tick. */
export class Sweep {
  readonly tickMs: number;
  readonly #clock: Clock;
  readonly #all = new Set<Swept>();
  #tickedMs = 0;
  #wokeMs = Number.NEGATIVE_INFINITY;
  #stop: (() => void) | undefined;

  constructor(clock: Clock, tickMs: number) {
    this.#clock = clock;
    this.tickMs = tickMs;
  }

  get size(): number {
    return this.#all.size;
  }

  /**
   * When the process last resumed after a long stop (a suspended machine, a blocked loop). Data that arrived
   * meanwhile is still unread, so silence counts only from here.
   */
  get wokeMs(): number {
    return this.#wokeMs;
  }

  add(swept: Swept): void {
    this.#all.add(swept);
    if (this.#stop) return;
    this.#tickedMs = this.#clock.nowMs();
    this.#stop = this.#clock.repeat(() => this.#tick(), this.tickMs);
  }

  remove(swept: Swept): void {
    this.#all.delete(swept);
    if (this.#all.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  #tick(): void {
    const nowMs = this.#clock.nowMs();
    if (nowMs - this.#tickedMs >= STALL_MS) this.#wokeMs = nowMs;
    this.#tickedMs = nowMs;
    for (const swept of this.#all) swept.onTick(nowMs);
  }
}
