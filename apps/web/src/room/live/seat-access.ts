import type { MediaAccess, RoomId, UserId } from '@mogakgong/contract';
import type { SeatAccess } from '../../features/media/room.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { translationWith } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { enterStudyRoom, entryRefusal, fetchMediaToken, isNotSeated } from './room-calls.ts';

export interface SeatOptions {
  readonly userId: UserId;
  readonly roomId: RoomId;
  /**
   * Called when the seat is gone after a reload: it is not taken again unasked. Absent for a seat that was
   * just taken.
   */
  readonly onSeatGone?: () => void;
  /** Access that came with the seat, for the first connection. */
  readonly media?: MediaAccess | undefined;
}

/** Media access for the seat; a seat that is gone is taken again, unless the page was reloaded since. */
export function seatAccess(options: SeatOptions, isFirstTry: () => boolean): SeatAccess {
  const { userId, roomId, onSeatGone } = options;
  let unused = options.media;
  const getAccess = async (): Promise<MediaAccess> => {
    const access = unused;
    unused = undefined;
    if (access) return access;
    const isFirst = isFirstTry();
    try {
      return await fetchMediaToken(userId, roomId);
    } catch (error) {
      if (!isNotSeated(error)) throw error;
      if (isFirst && onSeatGone) {
        onSeatGone();
        throw error;
      }
    }
    const { media } = await enterStudyRoom(userId, roomId);
    if (!isFirst) void announceNewSeat();
    return media ?? fetchMediaToken(userId, roomId);
  };
  return { getAccess, refusal: entryRefusal };
}

/** The seat was given up during a long silence, and taken again. */
async function announceNewSeat(): Promise<void> {
  const said = await translationWith(roomTexts).catch(() => null);
  if (said !== null) notify.toast(said.t('room.seatedAgain'));
}
