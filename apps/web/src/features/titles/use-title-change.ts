import type { NO_TITLE_KEY, OwnTitle, UserId } from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';

import { setRepresentativeTitle } from './use-own-titles.ts';

/** Sets or clears the representative title: one change at a time, each announced. */
export interface TitleChange {
  readonly isBusy: boolean;
  readonly choose: (titleId: number | typeof NO_TITLE_KEY) => void;
}

export function useTitleChange(userId: UserId, titles: readonly OwnTitle[]): TitleChange {
  const { t } = useTranslation(studyTexts);
  const { isPending, mutate } = useMutation({
    mutationFn: (titleId: number | typeof NO_TITLE_KEY) =>
      setRepresentativeTitle(t, userId, titleId),
    onSuccess: (_answer, titleId) => {
      const name = titles.find((title) => title.titleId === titleId)?.name;
      notify.toast(name ? t('represent.done', { name }) : t('represent.takenOff'), 'good');
    },
    onError: (error) => notifyFailure(error),
  });
  return { isBusy: isPending, choose: (titleId) => isPending || mutate(titleId) };
}
