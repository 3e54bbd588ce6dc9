import { DisconnectReason } from 'livekit-client';
import type { RoomEvent } from './room-state.ts';

/**
 * What an end of the connection means here. Whatever nobody decided (a frozen tab that let go of
 * everything, a server that restarts) is a loss, and one comes back from losses.
 */
export function disconnectEvent(reason: DisconnectReason | undefined): RoomEvent {
  if (reason === DisconnectReason.DUPLICATE_IDENTITY) return { kind: 'replaced' };
  if (reason === DisconnectReason.PARTICIPANT_REMOVED) return { kind: 'removed' };
  return { kind: 'lost' };
}
