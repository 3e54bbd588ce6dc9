import { type Clock, systemClock } from './clock.ts';
import { DEFAULT_HEART_BEAT, type HeartBeatOptions } from './heart-beat.ts';
import { DEFAULT_LIMITS, type StompLimits } from './limits.ts';
import type { SessionContext } from './session-context.ts';
import type { StompHooks } from './stomp-types.ts';
import { Sweep } from './sweep.ts';

export interface StompServerOptions<Principal, Handshake> {
  readonly hooks: StompHooks<Principal, Handshake>;
  readonly limits?: Partial<StompLimits>;
  readonly heartBeat?: Partial<HeartBeatOptions>;
  /** Time for CONNECT to arrive; 10,000 ms. */
  readonly connectTimeoutMs?: number;
  /** How long a closing session may take to finish the current frame; 5,000 ms. */
  readonly drainTimeoutMs?: number;
  /** Time for the peer to complete a close, after which its connection is destroyed; 5,000 ms. */
  readonly closeTimeoutMs?: number;
  /** Interval of the one timer behind all deadlines and heart-beats; 250 ms. */
  readonly tickMs?: number;
  /** The `server` header of CONNECTED. */
  readonly serverName?: string;
  readonly clock?: Clock;
}

/** Fills in the defaults. */
export function createContext<Principal, Handshake>(
  options: StompServerOptions<Principal, Handshake>,
): SessionContext<Principal, Handshake> {
  const clock = options.clock ?? systemClock;
  return {
    hooks: options.hooks,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    heartBeat: { ...DEFAULT_HEART_BEAT, ...options.heartBeat },
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    drainTimeoutMs: options.drainTimeoutMs ?? 5_000,
    serverName: options.serverName ?? 'mogakgong-stomp/0.1',
    sweep: new Sweep(clock, options.tickMs ?? 250),
    clock,
  };
}
