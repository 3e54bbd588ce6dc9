import type { RoomId, UserId } from '@mogakgong/contract';
import { loadBlocks, setBlockedIds } from '../../features/blocks/blocks.ts';
import { announceBoard } from '../../features/board/board-clearing.ts';
import type { ChatRoom } from '../../features/chat/chat-room.ts';
import { takeGoal } from '../../features/goals/use-goal.ts';
import type { RoomMedia } from '../../features/media/room.ts';
import { announceAnswer } from '../../features/reports/own-reports.ts';
import { celebrateTitle } from '../../features/titles/celebrations.ts';
import { learnerKey, noteWonTitle, reloadProfile } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { untilIdle } from '../../shared/lib/until-idle.ts';
import { reportRejection } from '../../shared/lib/watch-errors.ts';
import type { TakenNotice } from '../../shared/realtime/realtime-connection.ts';
import { loadToday, takePushedToday } from '../../shared/today/today.ts';
import { announceCameraRule } from '../hosting/camera-notices.ts';
import { receiveNod } from './nods.ts';

/** Notices about the learner, in any room. */
type OwnNotice = Exclude<
  TakenNotice,
  { readonly kind: 'nod' | 'chatRead' | 'board' | 'mediaMoved' | 'seatLost' }
>;

/** Downloaded with the first news of friends. */
const friendNews = () => import('../../features/friends/in-room.ts');

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
    case 'changed':
      void queryClient.invalidateQueries({ queryKey: [...learnerKey(userId), notice.what] });
      return;
    case 'reportDecided':
      announceAnswer(userId).catch(reportRejection);
      return;
    case 'cameraRule':
      announceCameraRule(notice).catch(reportRejection);
      return;
    case 'friends':
      friendNews()
        .then(({ takeFriendNews }) => takeFriendNews(userId, notice.news))
        .catch(reportRejection);
      return;
    case 'friendInvitation':
      friendNews()
        .then(({ takeFriendInvitation }) => takeFriendInvitation(userId, notice))
        .catch(reportRejection);
      return;
    case 'nudge':
    case 'groupLed':
    case 'groupSession':
      import('../../features/groups/group-news.ts')
        .then(({ announceGroupNews }) => announceGroupNews(notice))
        .catch(reportRejection);
      return;
    default:
      notice satisfies never;
  }
}

/** The room that a notice finds. */
interface NotifiedRoom {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly media: RoomMedia;
  readonly state: Parameters<typeof announceBoard>[1] &
    Parameters<typeof receiveNod>[1] & { readonly chat: ChatRoom | null };
}

/** Takes a notice of the realtime connection: about the room, or about the learner. */
export function takeNotice(room: NotifiedRoom, notice: TakenNotice): void {
  const { userId, roomId, media, state } = room;
  switch (notice.kind) {
    case 'chatRead':
      state.chat?.markRead(notice.messageId);
      return;
    case 'nod':
      receiveNod(notice.fromUserId, state).catch(reportRejection);
      return;
    case 'board':
      if (notice.roomId === roomId) announceBoard(notice, state).catch(reportRejection);
      return;
    case 'mediaMoved':
      if (notice.roomId === roomId) media.move();
      return;
    case 'seatLost':
      if (notice.roomId === roomId) media.refuse({ errorName: notice.reason, message: '' });
      return;
    default:
      takeOwnNotice(userId, notice);
  }
}

interface Gap {
  /** The first connection: the goal has just been loaded. */
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
    // Includes titles, friends and all that a notice calls changed.
    reloadProfile(userId);
    if (!isFirst) void queryClient.invalidateQueries({ queryKey: ['goal', userId] });
  });
}
