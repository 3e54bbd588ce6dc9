import { useEffect } from 'react';
import { useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { AuthCard } from '../../features/auth/auth-page.tsx';
import { accountTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';

/** Codes without a text: from a provider, our own pages, or the redirect to a provider. */
const explained = [
  'access_denied',
  'server_error',
  'temporarily_unavailable',
  'missing_code',
  'missing_token',
  'invalid_token',
  'socialProviderMissing',
  'socialLoginElsewhere',
  'tooManyRequests',
] as const;

/** Shows that a social log-in failed, with the reason where known (specification §2, `/auth/failure`). */
export function AuthFailurePage() {
  const { t } = useTranslation(accountTexts);
  const error = new URLSearchParams(useSearch()).get('error');
  const state = useHistoryState<{ reason?: string } | null>();
  const known = explained.find((code) => code === error);
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: the specification asks for it
    console.warn('social log-in failed:', error);
  }, [error]);
  return (
    <AuthCard title={t('login.failed')} lead={t('failure.lead')}>
      <div className="grid gap-5">
        <p role="status" className="text-center empty:sr-only">
          {state?.reason ?? (known && t(`failure.${known}`))}
        </p>
        <LinkButton href={paths.login} variant="primary" size="large" wide>
          {t('failure.back')}
        </LinkButton>
      </div>
    </AuthCard>
  );
}
