import { DisconnectReason, type Room, RoomEvent } from 'livekit-client';
import type { RoomEvent as StateEvent } from './room-state.ts';

/** Events of the media service after which a participant may have changed. */
const pictureEvents = [
  RoomEvent.ParticipantConnected,
  RoomEvent.ParticipantDisconnected,
  RoomEvent.ParticipantNameChanged,
  RoomEvent.TrackPublished,
  RoomEvent.TrackUnpublished,
  RoomEvent.TrackSubscribed,
  RoomEvent.TrackUnsubscribed,
  RoomEvent.TrackMuted,
  RoomEvent.TrackUnmuted,
  RoomEvent.ConnectionQualityChanged,
  RoomEvent.VideoPlaybackStatusChanged,
] as const;

/** What a session wants to hear of its connection. */
export interface RoomListeners {
  /** The server knows us: publishing and fetching can be arranged. */
  onSignalConnected(): void;
  /** A participant or their picture has changed. */
  onTilesChanged(): void;
  onSomebodyCame(): void;
  /** The connection stumbled; the media service repairs it. */
  onStumbled(): void;
  onRecovered(): void;
  onDisconnected(reason: DisconnectReason | undefined): void;
}

/** Calls back about a room for as long as `isHeard` says so. */
export function listenToRoom(room: Room, listeners: RoomListeners, isHeard: () => boolean): void {
  const whileHeard = (listener: () => void) => () => isHeard() && listener();
  for (const event of pictureEvents) room.on(event, whileHeard(listeners.onTilesChanged));
  room.on(RoomEvent.SignalConnected, whileHeard(listeners.onSignalConnected));
  room.on(RoomEvent.ParticipantConnected, whileHeard(listeners.onSomebodyCame));
  room.on(RoomEvent.SignalReconnecting, whileHeard(listeners.onStumbled));
  room.on(RoomEvent.Reconnecting, whileHeard(listeners.onStumbled));
  room.on(RoomEvent.Reconnected, whileHeard(listeners.onRecovered));
  room.on(RoomEvent.Disconnected, (reason) => isHeard() && listeners.onDisconnected(reason));
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
