import { DisconnectReason } from 'livekit-client';
import type { Refusal } from '../../shared/api/index.ts';

/**
 * Where this tab stands with its room. From `entering` to `reconnecting` everything happens by
 * itself; the rest waits for the learner.
 */
export type RoomState =
  /** Taking the seat and getting the media token. */
  | { readonly kind: 'entering' }
  /** Has a token, connects to the media server. */
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected' }
  /** The connection stumbled; the media service repairs it by itself. */
  | { readonly kind: 'reconnecting' }
  /**
   * The connection is gone; the next own try, number `attempt` from 0, is scheduled or under way.
   * `wasAsleep`: the browser froze the tab.
   */
  | { readonly kind: 'waiting'; readonly attempt: number; readonly wasAsleep: boolean }
  /** The API says no. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The learner sits here in another tab or on another device now. */
  | { readonly kind: 'replaced' }
  /** The service took the learner out of the room. */
  | { readonly kind: 'removed' };

/** What happens on the way; an end is the state that it leads to. */
export type StateEvent =
  | { readonly kind: 'tokenReceived' | 'connected' | 'stumbled' | 'lost' | 'asleep' }
  | Extract<RoomState, { readonly kind: 'refused' | 'replaced' | 'removed' }>
  /** The learner asks to enter (again). */
  | { readonly kind: 'enter' };

/** States that go on by themselves; the others wait for the learner. */
export function isUnderWay(state: RoomState): boolean {
  return !['refused', 'replaced', 'removed'].includes(state.kind);
}

/** The state after an event. An event that means nothing in a state leaves it as it is. */
export function nextRoomState(state: RoomState, event: StateEvent): RoomState {
  if (event.kind === 'enter') return isUnderWay(state) ? state : { kind: 'entering' };
  if (!isUnderWay(state)) return state;
  switch (event.kind) {
    case 'tokenReceived':
      return state.kind === 'entering' ? { kind: 'connecting' } : state;
    case 'connected':
      return { kind: 'connected' };
    case 'stumbled':
      return state.kind === 'connected' ? { kind: 'reconnecting' } : state;
    case 'lost':
    case 'asleep': {
      const attempt = state.kind === 'waiting' ? state.attempt + 1 : 0;
      return { kind: 'waiting', attempt, wasAsleep: event.kind === 'asleep' };
    }
    default:
      return event;
  }
}

/**
 * What each end of a connection means here. One comes back from whatever nobody decided; where somebody
 * may have (a deleted room), the API says so when one asks for the next token.
 */
const ENDS: Readonly<Record<DisconnectReason, 'lost' | 'asleep' | 'replaced' | 'removed'>> = {
  [DisconnectReason.UNKNOWN_REASON]: 'lost',
  // The library lets go of a tab that is frozen.
  [DisconnectReason.CLIENT_INITIATED]: 'asleep',
  [DisconnectReason.DUPLICATE_IDENTITY]: 'replaced',
  [DisconnectReason.SERVER_SHUTDOWN]: 'lost',
  [DisconnectReason.PARTICIPANT_REMOVED]: 'removed',
  [DisconnectReason.ROOM_DELETED]: 'lost',
  [DisconnectReason.STATE_MISMATCH]: 'lost',
  [DisconnectReason.JOIN_FAILURE]: 'lost',
  [DisconnectReason.MIGRATION]: 'lost',
  [DisconnectReason.SIGNAL_CLOSE]: 'lost',
  [DisconnectReason.ROOM_CLOSED]: 'lost',
  [DisconnectReason.USER_UNAVAILABLE]: 'lost',
  [DisconnectReason.USER_REJECTED]: 'lost',
  [DisconnectReason.SIP_TRUNK_FAILURE]: 'lost',
  [DisconnectReason.CONNECTION_TIMEOUT]: 'lost',
  [DisconnectReason.MEDIA_FAILURE]: 'lost',
  [DisconnectReason.AGENT_ERROR]: 'lost',
};

/** The event that an end of the connection is; a reason that a newer server invents is a loss. */
export function disconnectEvent(reason = DisconnectReason.UNKNOWN_REASON) {
  return { kind: ENDS[reason] ?? 'lost' } as const;
}

/** The browsers of a room that lose the media server together come back within so long of each other. */
const FIRST_RETRY_SPREAD_MS = 3_000;
/** How long to wait before the first try to come back, in ms: chance alone (decision 086). */
export const firstRetryMs = (random = Math.random) => Math.round(random() * FIRST_RETRY_SPREAD_MS);

/** Waits before further tries to reach the media server; the last one repeats. */
const RETRY_MS = [2_000, 4_000, 8_000, 15_000] as const;

/**
 * How long to wait before try number `attempt` (from 0), in ms. Half of it is chance, so that the
 * browsers of a full room do not all come back in the same moment.
 */
export function retryDelayMs(attempt: number, random: () => number = Math.random): number {
  if (attempt === 0) return firstRetryMs(random);
  const longest = RETRY_MS[Math.min(attempt, RETRY_MS.length) - 1] ?? RETRY_MS[0];
  return Math.round(longest * (0.5 + random() / 2));
}

/** What tries to reach the media server may take, the later ones more for slow networks. */
const TRY_MS = [4_000, 8_000, 15_000, 30_000] as const;

/**
 * After how many ms a try to connect is given up. The first is short: on most networks it takes less
 * than a second, and one that lost a packet at the wrong moment takes as long as it is allowed to.
 */
export function tryLimitMs(state: RoomState): number {
  const tries = state.kind === 'waiting' ? state.attempt + 1 : 0;
  return TRY_MS[Math.min(tries, TRY_MS.length - 1)] ?? TRY_MS[0];
}
