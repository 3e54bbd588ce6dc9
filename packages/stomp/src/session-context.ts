import type { Clock } from './clock.ts';
import type { HeartBeatOptions } from './heart-beat.ts';
import type { StompLimits } from './limits.ts';
import type { StompHooks } from './stomp-types.ts';
import type { Sweep } from './sweep.ts';

/** State that all sessions of a server share. */
export interface SessionContext<Principal, Handshake> {
  readonly hooks: StompHooks<Principal, Handshake>;
  readonly limits: StompLimits;
  readonly heartBeat: HeartBeatOptions;
  readonly connectTimeoutMs: number;
  /** How long a closing session may take to finish the current frame. */
  readonly drainTimeoutMs: number;
  /** The `server` header of CONNECTED. */
  readonly serverName: string;
  readonly sweep: Sweep;
  readonly clock: Clock;
}

/** The transport below a session. */
export interface Wire {
  lastReadMs: number;
  lastWriteMs: number;
  /** Bytes accepted by `write` that the operating system has not taken. */
  readonly waitingBytes: number;
  /** Queues a whole WebSocket message for the next flush. */
  write(bytes: Buffer): void;
  /** Drops queued messages that have not begun to be written. */
  dropQueued(): void;
  ping(): void;
  pauseReading(): void;
  resumeReading(): void;
  /** Flushes and closes; the connection is destroyed if the peer does not follow in time. */
  close(code: number): void;
}
