import { askNeighbour, type Notice, type RoomId, type UserId } from '@mogakgong/contract';
import { navigate } from 'wouter/use-browser-location';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { reloadProfile } from '../../shared/api/profile.ts';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { translationWith } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import type { Person } from '../../shared/lib/person.ts';
import { notify } from '../../shared/ui/notify.ts';

/** Reloads friends and requests after a change, and announces a new request or an acceptance. */
export async function takeFriendNews(
  userId: UserId,
  news: Extract<Notice, { kind: 'friends' }>['news'],
): Promise<void> {
  reloadProfile(userId);
  if (news === null) return;
  const { t } = await translationWith(studyTexts);
  const show = { label: t('news.show'), onPress: () => navigate(paths.friends) };
  notify.toast(t(`news.${news.what}`, { name: news.nickname }), 'good', show);
}

/** Sends a friend request to a neighbour in the learner's room, and announces the result. */
export async function askToBeFriends(roomId: RoomId, { userId, name }: Person): Promise<void> {
  const { t } = await translationWith(studyTexts);
  try {
    const { standing, isNew } = await call(
      askNeighbour,
      { params: { roomId }, body: { toUserId: userId } },
      { fallback: t('friends.failed') },
    );
    notify.toast(t(`${isNew ? 'ask' : 'askAgain'}.${standing}`, { name }), 'good');
  } catch (error) {
    notifyFailure(error);
  }
}
