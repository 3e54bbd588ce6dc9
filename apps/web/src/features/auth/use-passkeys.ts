import { getPasskeys, type Passkeys, type UserId } from '@mogakgong/contract';
import { useMutation } from '@tanstack/react-query';
import { call, type Loaded } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { learnerKey } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';

export const passkeysKey = (userId: UserId) => [...learnerKey(userId), 'passkeys'] as const;

/** The learner's passkeys. */
export function usePasskeys(userId: UserId): Loaded<Passkeys> {
  const { t } = useTranslation(accountTexts);
  return useLoaded(passkeysKey(userId), (signal) =>
    call(getPasskeys, {}, { signal, fallback: t('passkeys.loadFailed') }),
  );
}

/** A mutation. Its reply lists all passkeys. */
export function usePasskeyChange<Given = void>(
  userId: UserId,
  change: (given: Given) => Promise<Passkeys>,
  onDone: () => void,
) {
  return useMutation({
    mutationFn: change,
    onSuccess: (all: Passkeys) => {
      queryClient.setQueryData(passkeysKey(userId), all);
      onDone();
    },
    onError: (error: Error) => notifyFailure(error),
  });
}
