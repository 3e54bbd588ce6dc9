import type { Notice, UserId } from '@mogakgong/contract';
import { loadBlocks, setBlockedIds } from '../features/blocks/blocks.ts';
import { subjectsKey } from '../features/focus/current-subject.ts';
import { takeGoal } from '../features/goals/use-goal.ts';
import { reloadSanctions } from '../features/sanctions/own-sanctions.ts';
import { celebrateTitle } from '../features/titles/celebrations.ts';
import { noteWonTitle, reloadProfile } from '../shared/api/profile.ts';
import { queryClient } from '../shared/api/query.ts';
import { untilIdle } from '../shared/lib/until-idle.ts';
import { loadToday, takePushedToday } from '../shared/today/today.ts';

/** Notices about the learner, in any room. */
type OwnNotice = Exclude<Notice, { readonly kind: 'nod' | 'boardVote' | 'seatLost' }>;

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
      import('../features/reports/own-reports.ts').then(
        ({ announceAnswer }) => announceAnswer(userId),
        // The support page shows it in any case.
        () => undefined,
      );
      return;
    case 'cameraRule':
      import('../features/hosting/camera-notices.ts').then(
        ({ announceCameraRule }) => announceCameraRule(notice),
        // The tile shows "away" in any case.
        () => undefined,
      );
      return;
    case 'friends':
      import('../features/friends/in-room.ts').then(
        ({ takeFriendNews }) => takeFriendNews(userId, notice.news),
        // The friends page shows it in any case.
        () => undefined,
      );
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
