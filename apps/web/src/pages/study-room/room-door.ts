import type { RoomId, UserId } from '@mogakgong/contract';
import type { RoomDoor } from '../../features/media/room.ts';
import {
  enterStudyRoom,
  entryRefusal,
  fetchMediaToken,
  isNotSeated,
} from '../../features/rooms/index.ts';
import { translate } from '../../shared/i18n/texts.ts';

/**
 * How this learner gets into this room. Who sits there already (came through /main, reloaded, lost
 * the connection) needs a token only; else, or when the seat is gone, a seat is taken first.
 */
export function createRoomDoor(userId: UserId, roomId: RoomId, seated: boolean): RoomDoor {
  let isSeated = seated;
  return {
    async admit() {
      if (isSeated) {
        try {
          return await fetchMediaToken(userId, roomId);
        } catch (error) {
          if (!isNotSeated(error)) throw error;
        }
      }
      await enterStudyRoom(userId, roomId);
      isSeated = true;
      return fetchMediaToken(userId, roomId);
    },
    refusal: entryRefusal,
    noServerText: translate('room.noServer'),
  };
}
