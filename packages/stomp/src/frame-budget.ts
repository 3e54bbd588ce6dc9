import { StompProtocolError } from './frame.ts';

/** A token bucket: so many frames a second over time, so many at once. */
export class FrameBudget {
  readonly #perSecond: number;
  readonly #burst: number;
  #tokens: number;
  #countedMs: number;

  constructor(perSecond: number, burst: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#tokens = burst;
    this.#countedMs = nowMs;
  }

  /** Takes one frame out of the budget; throws StompProtocolError when there is none left. */
  spend(nowMs: number): void {
    const earned = ((nowMs - this.#countedMs) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#burst, this.#tokens + earned);
    this.#countedMs = nowMs;
    if (this.#tokens < 1) throw new StompProtocolError('too many frames a second');
    this.#tokens -= 1;
  }
}
