import { askNeighbour, type Notice, type RoomId, type UserId } from '@mogakgong/contract';
import { navigate } from 'wouter/use-browser-location';
import { call } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { reloadProfile } from '../../shared/api/profile.ts';
import { friendsTexts } from '../../shared/i18n/namespaces.ts';
import { translationWith } from '../../shared/i18n/texts.ts';
import { paths, studyRoomPath } from '../../shared/lib/paths.ts';
import type { Person } from '../../shared/lib/person.ts';
import { notify } from '../../shared/ui/notify.ts';

/** Reloads friends and requests after a change, and announces a new request or an acceptance. */
export async function takeFriendNews(
  userId: UserId,
  news: Extract<Notice, { kind: 'friends' }>['news'],
): Promise<void> {
  reloadProfile(userId);
  if (news === null) return;
  const { t } = await translationWith(friendsTexts);
  const show = { label: t('news.show'), onPress: () => navigate(paths.friends) };
  notify.toast(t(`news.${news.what}`, { name: news.nickname }), 'good', show);
}

/** Announces the invitation of a friend, with the way to their room. */
export async function takeFriendInvitation(
  userId: UserId,
  { nickname, roomId }: Extract<Notice, { kind: 'friendInvitation' }>,
): Promise<void> {
  reloadProfile(userId);
  const { t } = await translationWith(friendsTexts);
  const sit = { label: t('friends.goThere'), onPress: () => navigate(studyRoomPath(roomId)) };
  notify.toast(t('news.invited', { name: nickname }), 'good', sit);
}

/** Sends a friend request to a neighbour in the learner's room, and announces the result. */
export async function askToBeFriends(roomId: RoomId, { userId, name }: Person): Promise<void> {
  const { t } = await translationWith(friendsTexts);
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
