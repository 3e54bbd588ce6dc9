import { getSocialLogins, type SocialLogins, type UserId } from '@mogakgong/contract';
import { call, type Loaded } from '../../shared/api/index.ts';
import { learnerKey } from '../../shared/api/profile.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';

export const socialLoginsKey = (userId: UserId) =>
  [...learnerKey(userId), 'social-logins'] as const;

/** The learner's log-in methods: linked providers, and whether there is a password. */
export function useSocialLogins(userId: UserId): Loaded<SocialLogins> {
  const { t } = useTranslation(accountTexts);
  return useLoaded(socialLoginsKey(userId), (signal) =>
    call(getSocialLogins, {}, { signal, fallback: t('logins.loadFailed') }),
  );
}
