import { askNeighbour, type RoomId, UserId } from '@mogakgong/contract';
import { call, messageOf } from '../../shared/api/index.ts';
import { translationWith } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { friendsTexts } from './friends-texts.ts';

/** Asks a neighbour in the learner's room to be friends, and says what came of it. */
export async function askToBeFriends(
  roomId: RoomId,
  { userId, name }: { readonly userId: number; readonly name: string },
): Promise<void> {
  const { t } = await translationWith(friendsTexts);
  const body = { toUserId: UserId.parse(userId) };
  try {
    const { standing } = await call(
      askNeighbour,
      { params: { roomId }, body },
      { fallback: t('failed') },
    );
    notify.toast(t(`ask.${standing}`, { name }), 'good');
  } catch (error) {
    notify.toast(messageOf(error), 'bad');
  }
}
