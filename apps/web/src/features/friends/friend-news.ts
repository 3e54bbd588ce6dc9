import type { Notice, UserId } from '@mogakgong/contract';
import { navigate } from 'wouter/use-browser-location';
import { reloadProfile } from '../../shared/api/profile.ts';
import { translationWith } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { notify } from '../../shared/ui/notify.ts';
import { friendsTexts } from './friends-texts.ts';

/** Asks again for friends and requests, which have changed, and says who has asked or said yes. */
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
