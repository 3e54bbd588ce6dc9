/** The server's time source; tests bring their own. */
export interface Clock {
  /** Monotonic milliseconds; the origin has no meaning. */
  nowMs(): number;
  /** Calls `tick` every `everyMs` until the returned function is called. Keeps no process alive. */
  repeat(tick: () => void, everyMs: number): () => void;
}

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  repeat(tick, everyMs) {
    const timer = setInterval(tick, everyMs);
    timer.unref();
    return () => clearInterval(timer);
  },
};
