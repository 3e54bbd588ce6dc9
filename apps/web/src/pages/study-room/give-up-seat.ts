import type { UserId } from '@mogakgong/contract';
import { useSession } from '../../features/auth/session.ts';
import { reloadToday, stopToday } from '../../features/focus/index.ts';
import { leaveStudyRoom } from '../../features/rooms/index.ts';
import { translate } from '../../shared/i18n/texts.ts';

/** Gives up the learner's seat; today's focus stands still at once, and is then asked for anew. */
export async function giveUpSeat(userId: UserId): Promise<void> {
  stopToday(userId);
  try {
    await leaveStudyRoom(userId, translate('room.leaveFailed'));
  } finally {
    // After a log-out nobody may ask any more.
    if (useSession.getState().isLoggedIn) void reloadToday(userId);
  }
}
