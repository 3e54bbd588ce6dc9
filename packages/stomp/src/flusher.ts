import type { Clock } from './clock.ts';

/** A connection with something to write. */
export interface Flushable {
  flush(nowMs: number): void;
}

/**
 * Collects the connections with pending writes and flushes each once per tick, so that many messages to one
 * client cost one system call.
 */
export class Flusher {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  #waiting: Flushable[] = [];
  #isScheduled = false;

  /** Interval 0: one tick per turn of the event loop. */
  constructor(clock: Clock, intervalMs: number) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  add(connection: Flushable): void {
    this.#waiting.push(connection);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    if (this.#intervalMs === 0) setImmediate(() => this.#flush());
    else setTimeout(() => this.#flush(), this.#intervalMs);
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#isScheduled = false;
    const nowMs = this.#clock.nowMs();
    for (const connection of waiting) connection.flush(nowMs);
  }
}
