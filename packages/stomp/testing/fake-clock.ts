import type { Clock } from '../src/index.ts';

/** A clock that only tests advance. */
export class FakeClock implements Clock {
  #nowMs = 1_000_000;
  readonly #repeats = new Set<{ tick: () => void; everyMs: number; nextMs: number }>();

  nowMs(): number {
    return this.#nowMs;
  }

  get running(): number {
    return this.#repeats.size;
  }

  repeat(tick: () => void, everyMs: number): () => void {
    const repeat = { tick, everyMs, nextMs: this.#nowMs + everyMs };
    this.#repeats.add(repeat);
    return () => this.#repeats.delete(repeat);
  }

  /** Advances time as in a running process: every tick is called in order. */
  advance(ms: number): void {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const next = [...this.#repeats].sort((a, b) => a.nextMs - b.nextMs)[0];
      if (!next || next.nextMs > endMs) break;
      this.#nowMs = Math.max(this.#nowMs, next.nextMs);
      next.nextMs += next.everyMs;
      next.tick();
    }
    this.#nowMs = endMs;
  }

  /** Advances time as in a suspended process: one late tick at the end. */
  stall(ms: number): void {
    this.#nowMs += ms;
    for (const repeat of [...this.#repeats]) {
      repeat.nextMs = this.#nowMs + repeat.everyMs;
      repeat.tick();
    }
  }
}
