import type { Notice } from '@mogakgong/contract';
import { navigate } from 'wouter/use-browser-location';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { translationWith } from '../../shared/i18n/texts.ts';
import { groupPath } from '../../shared/lib/paths.ts';
import { notify } from '../../shared/ui/notify.ts';

/** Announces that a member misses the learner, or that a session begins soon. */
export async function announceGroupNews(
  notice: Extract<Notice, { kind: 'nudge' | 'groupSession' }>,
): Promise<void> {
  const { t } = await translationWith(groupsTexts);
  const group = notice.groupName;
  const text =
    notice.kind === 'nudge'
      ? t('news.nudge', { name: notice.nickname, group })
      : t('news.session', { group });
  const show = { label: t('news.show'), onPress: () => navigate(groupPath(notice.groupId)) };
  notify.toast(text, 'good', show);
}
