/** Bounds on a client's data and on the server's memory for it. Each has a rule in SPEC.md. */
export interface StompLimits {
  /** Bytes of one frame from its command to its NUL, both included. */
  readonly frameBytes: number;
  /** Bytes of one WebSocket message; above it the WebSocket closes with 1009. */
  readonly messageBytes: number;
  readonly headers: number;
  /** Bytes of one header line without its end of line. */
  readonly headerLineBytes: number;
  readonly commandBytes: number;
  readonly subscriptions: number;
  readonly transactions: number;
  /** Frames that all open transactions of a session hold together. */
  readonly heldFrames: number;
  /** Body and header bytes that all open transactions of a session hold together. */
  readonly heldBytes: number;
  /** Messages a subscription with `ack:client` may leave unanswered. */
  readonly unacknowledged: number;
  /** Bytes waiting to be written to one connection. */
  readonly outgoingBytes: number;
  /**
   * Frames a second over time (0: no limit), and how many may come at once. Of WebSocket messages, pings and
   * pongs together four times as many.
   */
  readonly framesPerSecond: number;
  readonly frameBurst: number;
}

export const DEFAULT_LIMITS: StompLimits = {
  frameBytes: 16 * 1024,
  messageBytes: 32 * 1024,
  headers: 64,
  headerLineBytes: 4 * 1024,
  commandBytes: 32,
  subscriptions: 32,
  transactions: 8,
  heldFrames: 100,
  heldBytes: 64 * 1024,
  unacknowledged: 1_000,
  outgoingBytes: 256 * 1024,
  framesPerSecond: 0,
  frameBurst: 40,
};

/** A client's budget of frames, or of `parts` WebSocket messages for each; undefined: no limit. */
export function createBudget(
  { framesPerSecond, frameBurst }: StompLimits,
  nowMs: number,
  parts = 1,
): TokenBucket | undefined {
  if (framesPerSecond === 0) return undefined;
  return new TokenBucket(framesPerSecond * parts, frameBurst * parts, nowMs);
}

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
