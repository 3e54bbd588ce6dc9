import type { RoomId, UserId } from '@mogakgong/contract';
import { useEffect } from 'react';
import { endUnknownGathering, useUnsentWarning } from '../../features/chat/index.ts';
import type { RoomState } from '../../features/media/room.ts';
import { studyRoomPath } from '../../shared/lib/paths.ts';

/**
 * Looks after what was written and not sent during a stay: the tab does not close without a question,
 * and nothing is said to those who sit here after the seat was given up. A reload keeps the seat.
 */
export function useUnsent(userId: UserId, roomId: RoomId, state: RoomState['kind']): void {
  useUnsentWarning(userId);
  useEffect(() => {
    if (state === 'removed' || state === 'left') endUnknownGathering(userId, roomId);
  }, [userId, roomId, state]);
  useEffect(
    () => () => {
      const isElsewhere = window.location.pathname !== studyRoomPath(roomId);
      if (isElsewhere) endUnknownGathering(userId, roomId);
    },
    [userId, roomId],
  );
}
