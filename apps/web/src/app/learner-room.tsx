import { useEffect } from 'react';
import { useOwnUserId } from '../features/auth/own-user-id.ts';
import { useSession } from '../features/auth/session.ts';
import { useCurrentRoom } from '../room/current-room.ts';
import { resumeRoom } from '../room/room-actions.ts';
import { RoomStrip } from '../room/room-strip.tsx';

/** The room of who sits in one, on every page: resumed after a reload, and what goes on of it. */
export function LearnerRoom() {
  const userId = useOwnUserId();
  const name = useSession((session) => session.user?.nickname ?? '');
  const live = useCurrentRoom((room) => room.live);
  useEffect(() => {
    if (userId !== null) resumeRoom(userId, name).catch(() => undefined);
  }, [userId, name]);
  return live && <RoomStrip key={live.roomId} live={live} />;
}
