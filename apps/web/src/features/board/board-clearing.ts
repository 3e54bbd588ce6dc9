import {
  bringBackBoard,
  CLEARED_BOARD_KEPT_MS,
  clearBoard as clearBoardRoute,
  HOUR_MS,
  type Member,
  type Notice,
  type RoomAbout,
  type RoomId,
  type UserId,
} from '@mogakgong/contract';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { boardTexts } from '../../shared/i18n/namespaces.ts';
import { type Translate, translationWith } from '../../shared/i18n/texts.ts';
import { confirmed } from '../../shared/ui/confirmed.ts';
import { notify } from '../../shared/ui/notify.ts';

/** Clears the board once the learner has confirmed. */
export async function clearBoard(roomId: RoomId): Promise<void> {
  const { t } = await translationWith(boardTexts);
  const isSure = await confirmed(
    t('board.clearAsk'),
    t('board.clearHelp', { hours: CLEARED_BOARD_KEPT_MS / HOUR_MS }),
    t('board.clearConfirm'),
  );
  if (!isSure) return;
  try {
    await call(clearBoardRoute, { params: { roomId } });
    notify.toast(t('board.cleared'), 'good', bringingBack(t, roomId));
  } catch (error) {
    notifyFailure(error);
  }
}

/** Brings back what was cleared last. */
export async function bringBack(roomId: RoomId): Promise<void> {
  const { t } = await translationWith(boardTexts);
  try {
    await call(bringBackBoard, { params: { roomId } });
    notify.toast(t('board.broughtBack'), 'good');
  } catch (error) {
    notifyFailure(error);
  }
}

const bringingBack = (t: Translate<'board.bringBackNow'>, roomId: RoomId) => ({
  label: t('board.bringBackNow'),
  onPress: () => void bringBack(roomId),
});

/** A room as a learner sees it. */
interface SeenRoom {
  readonly selfId: UserId;
  readonly members: readonly Member[] | null;
  /** Null in a room without a host. */
  readonly about: RoomAbout | null;
}

/** Whether the learner may clear the board and bring it back: the host, and anybody where there is none. */
export const mayClear = ({ about, selfId }: Pick<SeenRoom, 'about' | 'selfId'>): boolean =>
  about === null || about.hostId === selfId;

/** Says that a learner has cleared the board or brought it back. */
export async function announceBoard(
  { roomId, what, by }: Extract<Notice, { kind: 'board' }>,
  room: SeenRoom,
): Promise<void> {
  const { t } = await translationWith(boardTexts);
  const name = room.members?.find(({ userId }) => userId === by)?.nickname;
  const action = what === 'cleared' && mayClear(room) ? bringingBack(t, roomId) : undefined;
  notify.toast(
    name ? t(`board.${what}By`, { name }) : t(`board.${what}BySomebody`),
    'plain',
    action,
  );
}
