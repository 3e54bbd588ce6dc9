import type { UserId } from '@mogakgong/contract';
import type { Realtime } from './app-realtime.ts';
import type { Media } from './features/media/index.ts';
import type { RoomsService } from './features/rooms/index.ts';
import type { AppContext } from './features/sanctions/index.ts';

interface EnforcingUses {
  readonly rooms: RoomsService;
  readonly media: Media;
  readonly realtime: Realtime;
}

/** Applies sanctions to connections, seats and cameras, in every process. */
export function enforceSanctions(
  { sanctions: { inForce }, logger }: AppContext,
  { rooms, media, realtime }: EnforcingUses,
): void {
  /** Gives up seats that their learners may no longer hold; the media server then removes them. */
  async function correctSeats(userIds: readonly UserId[]): Promise<void> {
    for (const seat of (await rooms.findSeats(userIds)).values()) {
      const { userId, roomId, id } = seat;
      const isClosed = inForce.closedRoomsOf(userId).includes(roomId);
      if (isClosed || inForce.isSuspended(userId)) await rooms.leave(userId, id);
      else if (inForce.find(userId, 'cameraOff')) media.checkSoon(roomId);
    }
  }

  inForce.onNews((userId) => {
    realtime.notices.sendHere(userId, { kind: 'changed', what: 'sanctions' });
    // The camera may be on again.
    rooms.findSeat(userId).then(
      (seat) => seat && media.checkSoon(seat.roomId),
      (error: unknown) => logger.warn({ err: error, userId }, 'could not look for a camera'),
    );
  });
  inForce.onChange(async (userIds) => {
    for (const userId of userIds) {
      if (!inForce.isSuspended(userId)) continue;
      realtime.hub.endAccount(userId);
      void media.endTestsOf(userId);
    }
    await correctSeats(userIds);
  });
}
