import type { Clock } from './clock.ts';

/** A connection with something to write. */
export interface Flushable {
  flush(nowMs: number): void;
}

/**
 * Collects the connections with pending writes and flushes each once per turn of the event loop, so that many
 * messages to one client cost one system call.
 */
export class Flusher {
  readonly #clock: Clock;
  #waiting: Flushable[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(connection: Flushable): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#flush());
    this.#waiting.push(connection);
  }

  #flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const nowMs = this.#clock.nowMs();
    for (const connection of waiting) connection.flush(nowMs);
  }
}
