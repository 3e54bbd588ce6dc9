/** A token bucket: a rate of tokens per second, and a maximum burst. */
export class TokenBucket {
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

  /** Takes tokens if enough are left; returns whether they were. */
  take(count: number, nowMs: number): boolean {
    const earned = ((nowMs - this.#countedMs) / 1000) * this.#perSecond;
    this.#tokens = Math.min(this.#burst, this.#tokens + earned);
    this.#countedMs = nowMs;
    if (this.#tokens < count) return false;
    this.#tokens -= count;
    return true;
  }
}
