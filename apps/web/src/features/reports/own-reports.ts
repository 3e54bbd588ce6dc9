import { getOwnReports, type UserId } from '@mogakgong/contract';
import { navigate } from 'wouter/use-browser-location';
import { call } from '../../shared/api/index.ts';
import { learnerKey } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { translationWith } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { notify } from '../../shared/ui/notify.ts';

const keyOf = (userId: UserId) => [...learnerKey(userId), 'ownReports'];

/** The learner's reports and their outcomes; reloaded whenever shown. */
export function useOwnReports(userId: UserId) {
  return useLoaded(keyOf(userId), (signal) => call(getOwnReports, {}, { signal }), {
    refetchOnMount: 'always',
    refetchOnWindowFocus: true,
  });
}

/** Tells a reporter that there is an answer, with a link to it. */
export async function announceAnswer(userId: UserId): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: keyOf(userId) });
  const { t } = await translationWith(roomTexts);
  const show = { label: t('answer.show'), onPress: () => navigate(paths.support) };
  notify.toast(t('answer.notice'), 'good', show);
}
