/** Time as the server sees it; tests bring their own. */
export interface Clock {
  /** Milliseconds that only ever grow; the origin means nothing. */
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
