import type { Notice } from '@mogakgong/contract';
import { navigate } from 'wouter/use-browser-location';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { translationWith } from '../../shared/i18n/texts.ts';
import { groupPath } from '../../shared/lib/paths.ts';
import { notify } from '../../shared/ui/notify.ts';

/** Announces that a member misses the learner or has made them a leader, or that a session begins soon. */
export async function announceGroupNews(
  notice: Extract<Notice, { kind: 'nudge' | 'groupLed' | 'groupSession' }>,
): Promise<void> {
  const { t } = await translationWith(groupsTexts);
  const group = notice.groupName;
  const text =
    notice.kind === 'groupSession'
      ? t('news.session', { group })
      : t(`news.${notice.kind}`, { name: notice.nickname, group });
  const show = { label: t('news.show'), onPress: () => navigate(groupPath(notice.groupId)) };
  notify.toast(text, 'good', show);
}
