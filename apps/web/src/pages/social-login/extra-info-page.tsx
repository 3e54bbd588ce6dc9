import { getSocialSignup } from '@mogakgong/contract';
import { useLocation, useSearch } from 'wouter';
import { AuthPage } from '../../features/auth/auth-page.tsx';
import { firstEntryPath, returnPath } from '../../features/auth/return-path.ts';
import { logInWithToken } from '../../features/auth/session.ts';
import { SocialSignupForm } from '../../features/auth/social-signup-form.tsx';
import { ApiError, call } from '../../shared/api/index.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { failureOf } from './failure.ts';

/** The rest of the sign-up of a new person (specification §2, `/signup/extra-info`). */
export function ExtraInfoPage() {
  const { t } = useTranslation(accountTexts);
  return (
    <AuthPage
      title={t('extra.title')}
      lead={t('extra.lead')}
      links={{ [paths.login]: t('extra.restart') }}
    >
      <Newcomer />
    </AuthPage>
  );
}

/** The form, for a sign-up started in this browser. */
function Newcomer() {
  const { t } = useTranslation(accountTexts);
  const [, navigate] = useLocation();
  const next = firstEntryPath(returnPath(useSearch()));
  const finish = async (token: string) => {
    await logInWithToken(token);
    navigate(next, { replace: true });
  };
  const load = async (signal: AbortSignal) => {
    try {
      return await call(getSocialSignup, {}, { signal, fallback: t('extra.loadFailed') });
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) navigate(...failureOf(error));
      throw error;
    }
  };
  const loaded = useLoaded(['social-signup'], load, { gcTime: 0 });
  return (
    <LoadState of={loaded}>
      {({ provider, email, nickname }) => {
        const values = { provider: t(`provider.${provider}`), email: email ?? '' };
        return (
          <div className="grid gap-5">
            <p className="break-words text-center text-ink-soft text-small">
              {t(email === null ? 'extra.from' : 'extra.fromEmail', values)}
            </p>
            <SocialSignupForm suggestion={nickname} onJoined={finish} />
          </div>
        );
      }}
    </LoadState>
  );
}
