import { DisconnectReason } from 'livekit-client';

/** Why a learner cannot sit in this room: the error table's name (if known) and its text. */
export interface Refusal {
  readonly errorName: string | null;
  readonly message: string;
}

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
  /** The connection is gone; the next own try, number `attempt` from 0, is scheduled or under way. */
  | { readonly kind: 'waiting'; readonly attempt: number }
  /** The API says no. */
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The learner sits here in another tab or on another device now. */
  | { readonly kind: 'replaced' }
  /** The service took the learner out of the room. */
  | { readonly kind: 'removed' };

/** What happens on the way; an end is the state that it leads to. */
export type StateEvent =
  | { readonly kind: 'tokenReceived' | 'connected' | 'stumbled' | 'lost' }
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
      return { kind: 'waiting', attempt: state.kind === 'waiting' ? state.attempt + 1 : 0 };
    default:
      return event;
  }
}

/**
 * What an end of the connection means here. Whatever nobody decided (a frozen tab that let go of
 * everything, a server that restarts) is a loss, and one comes back from losses.
 */
export function disconnectEvent(reason: DisconnectReason | undefined): StateEvent {
  if (reason === DisconnectReason.DUPLICATE_IDENTITY) return { kind: 'replaced' };
  if (reason === DisconnectReason.PARTICIPANT_REMOVED) return { kind: 'removed' };
  return { kind: 'lost' };
}

/** Waits before tries to reach the media server again; the last one repeats. */
const RETRY_MS = [500, 2_000, 4_000, 8_000, 15_000] as const;

/**
 * How long to wait before try number `attempt` (from 0), in ms. Half of it is chance, so that the
 * browsers of a full room do not all come back in the same moment.
 */
export function retryDelayMs(attempt: number, random: () => number = Math.random): number {
  const longest = RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)] ?? RETRY_MS[0];
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
