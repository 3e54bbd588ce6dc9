import type { Notice, UserId } from '@mogakgong/contract';
import { loadBlocks, setBlockedIds } from '../../features/blocks/blocks.ts';
import { subjectsKey } from '../../features/focus/current-subject.ts';
import { takeFriendNews } from '../../features/friends/in-room.ts';
import { takeGoal } from '../../features/goals/use-goal.ts';
import { announceAnswer } from '../../features/reports/own-reports.ts';
import { reloadSanctions } from '../../features/sanctions/own-sanctions.ts';
import { celebrateTitle } from '../../features/titles/celebrations.ts';
import { noteWonTitle, reloadProfile } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { untilIdle } from '../../shared/lib/until-idle.ts';
import { reportRejection } from '../../shared/lib/watch-errors.ts';
import { loadToday, takePushedToday } from '../../shared/today/today.ts';
import { announceCameraRule } from '../hosting/camera-notices.ts';

/** Notices about the learner, in any room. */
type OwnNotice = Exclude<Notice, { readonly kind: 'nod' | 'board' | 'seatLost' }>;

/** Updates this tab's data of the learner, and announces the notices they should see. */
export function takeOwnNotice(userId: UserId, notice: OwnNotice): void {
  switch (notice.kind) {
    case 'blocks':
      setBlockedIds(userId, notice.blockedIds);
      return;
    case 'today':
      takePushedToday(userId, notice);
      return;
    case 'titleWon':
      celebrateTitle(notice.title);
      noteWonTitle(userId);
      return;
    case 'goal':
      takeGoal(userId, notice);
      return;
    case 'subjects':
      void queryClient.invalidateQueries({ queryKey: subjectsKey(userId) });
      return;
    case 'sanctions':
      reloadSanctions(userId);
      return;
    case 'roomGuests':
      void queryClient.invalidateQueries({ queryKey: ['hosting'] });
      return;
    case 'reportDecided':
      announceAnswer(userId).catch(reportRejection);
      return;
    case 'cameraRule':
      announceCameraRule(notice).catch(reportRejection);
      return;
    case 'friends':
      takeFriendNews(userId, notice.news).catch(reportRejection);
      return;
  }
}

interface Gap {
  /** The first connection: the room's data has just been loaded. */
  readonly isFirst: boolean;
  /** The room was left meanwhile. */
  readonly isOver: () => boolean;
}

/**
 * Reloads the data that notices carry, where some may have been missed; data that is not shown is loaded when
 * it is.
 */
export function readOwnAgain(userId: UserId, { isFirst, isOver }: Gap): void {
  void loadBlocks(userId);
  // The room is being rendered at this moment.
  void untilIdle().then(() => {
    if (isOver()) return;
    void loadToday(userId);
    reloadSanctions(userId);
    // Includes titles and friends.
    reloadProfile(userId);
    if (isFirst) return;
    for (const queryKey of [['goal', userId], subjectsKey(userId), ['hosting', userId]]) {
      void queryClient.invalidateQueries({ queryKey });
    }
  });
}
