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

/** What is about the learner, whatever room they sit in. */
type OwnNotice = Exclude<Notice, { readonly kind: 'nod' | 'boardVote' | 'seatLost' }>;

/** Brings what this tab knows of the learner up to date, and says what they should hear of. */
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
        // The page of support shows it in any case.
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
        // The page of friends shows it in any case.
        () => undefined,
      );
      return;
  }
}

interface Gap {
  /** Nothing was shown before, and what the room shows has just been loaded. */
  readonly isFirst: boolean;
  /** The room was left meanwhile. */
  readonly isOver: () => boolean;
}

/** Asks again for what notices carry, where some may have been missed; what is not shown is asked for when it is. */
export function readOwnAgain(userId: UserId, { isFirst, isOver }: Gap): void {
  void loadBlocks(userId);
  // The room is drawn at this moment.
  void untilIdle().then(() => {
    if (isOver()) return;
    void loadToday(userId);
    reloadSanctions(userId);
    // And titles and friends.
    reloadProfile(userId);
    if (isFirst) return;
    for (const queryKey of [['goal', userId], subjectsKey(userId), ['hosting', userId]]) {
      void queryClient.invalidateQueries({ queryKey });
    }
  });
}
