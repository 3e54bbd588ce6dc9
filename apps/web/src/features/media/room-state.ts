import type { Refusal } from '../../shared/api/index.ts';

/**
 * The state of this tab's room connection. From `entering` to `reconnecting` it proceeds by itself; the other
 * states wait for the learner.
 */
export type RoomState =
  /** Taking the seat and getting the media token. */
  | { readonly kind: 'entering' }
  /** Has a token and connects to the media server. */
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected' }
  /** The connection was interrupted; the media library repairs it. */
  | { readonly kind: 'reconnecting' }
  /**
   * The connection is lost; our next try, number `attempt` from 0, is scheduled or running. `wasAsleep`: the
   * browser froze the tab.
   */
  | { readonly kind: 'waiting'; readonly attempt: number; readonly wasAsleep: boolean }
  /** The API refused. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The learner now sits here in another tab or on another device. */
  | { readonly kind: 'replaced' }
  /** The service removed the learner from the room. */
  | { readonly kind: 'removed' };

/** Events of a connection; an end is named after the state it leads to. */
export type StateEvent =
  | { readonly kind: 'tokenReceived' | 'connected' | 'stumbled' | 'lost' | 'asleep' }
  | Extract<RoomState, { readonly kind: 'refused' | 'replaced' | 'removed' }>
  /** The learner asks to enter (again). */
  | { readonly kind: 'enter' };

/** States that proceed by themselves; the others wait for the learner. */
export function isUnderWay(state: RoomState): boolean {
  return !['refused', 'replaced', 'removed'].includes(state.kind);
}

/** The state after an event. An event without meaning in a state leaves it unchanged. */
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

/** Browsers of a room that lose the media server together reconnect spread over this time. */
const FIRST_RETRY_SPREAD_MS = 3_000;
/** Delay before the first reconnect, in ms: fully random (decision 086). */
export const firstRetryMs = () => Math.round(Math.random() * FIRST_RETRY_SPREAD_MS);

/** Browsers of a room that moves to another media server connect there spread over this time. */
const MOVE_SPREAD_MS = 500;
export const moveDelayMs = () => Math.round(Math.random() * MOVE_SPREAD_MS);

/** Delays before further tries to reach the media server; the last one repeats. */
const RETRY_MS = [2_000, 4_000, 8_000, 15_000] as const;

/**
 * Delay before try number `attempt` (from 0), in ms. Half of it is random, so that the browsers of a full
 * room do not reconnect all at once.
 */
export function retryDelayMs(attempt: number): number {
  if (attempt === 0) return firstRetryMs();
  const longest = RETRY_MS[Math.min(attempt, RETRY_MS.length) - 1] ?? RETRY_MS[0];
  return Math.round(longest * (0.5 + Math.random() / 2));
}

/** Time limits of successive tries to reach the media server; later ones allow for slow networks. */
const TRY_MS = [4_000, 8_000, 15_000, 30_000] as const;

/**
 * Time limit of a try to connect, in ms. The first is short: on most networks a connection takes less than a
 * second, and one that lost a packet at the wrong moment takes as long as it is allowed to.
 */
export function tryLimitMs(state: RoomState): number {
  const tries = state.kind === 'waiting' ? state.attempt + 1 : 0;
  return TRY_MS[Math.min(tries, TRY_MS.length - 1)] ?? TRY_MS[0];
}
