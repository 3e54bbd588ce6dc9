import { getSecondFactor, type SecondFactor, type UserId } from '@mogakgong/contract';
import { call, type Loaded } from '../../shared/api/index.ts';
import { learnerKey } from '../../shared/api/profile.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';

export const secondFactorKey = (userId: UserId) =>
  [...learnerKey(userId), 'second-factor'] as const;

/** Whether the learner's log-ins ask for a code. */
export function useSecondFactor(userId: UserId): Loaded<SecondFactor> {
  const { t } = useTranslation(accountTexts);
  return useLoaded(secondFactorKey(userId), (signal) =>
    call(getSecondFactor, {}, { signal, fallback: t('twoStep.loadFailed') }),
  );
}
