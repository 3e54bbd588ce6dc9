import type { RoomId } from '@mogakgong/contract';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { RealtimeTransport } from '../../shared/realtime/transport.ts';
import { Presence, type PresenceSnapshot } from './presence.ts';

const unknown: PresenceSnapshot = { members: null, pomodoro: null, isLive: false };
const subscribeToNothing = () => () => undefined;

/** Who sits in the room, for as long as there is a connection to ask. */
export function usePresence(roomId: RoomId, transport: RealtimeTransport | null): PresenceSnapshot {
  const [presence, setPresence] = useState<Presence | null>(null);
  useEffect(() => {
    if (transport === null) return;
    const opened = new Presence(roomId, transport);
    setPresence(opened);
    return () => {
      opened.close();
      setPresence(null);
    };
  }, [roomId, transport]);
  return useSyncExternalStore(
    presence?.subscribe ?? subscribeToNothing,
    () => presence?.getSnapshot() ?? unknown,
  );
}
