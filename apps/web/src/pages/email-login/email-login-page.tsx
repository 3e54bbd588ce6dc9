import { useLocation, useSearch } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { AuthPage } from '../../features/auth/auth-page.tsx';
import { EmailLoginForm } from '../../features/auth/email-login-form.tsx';
import { returnPath, withReturnPath } from '../../features/auth/return-path.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';

/** Log-in by e-mail (specification §2, `/email-login`); goes on by itself once logged in. */
export function EmailLoginPage() {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const next = returnPath(useSearch());
  const state = useHistoryState<{ email?: string } | null>();
  return (
    <AuthPage
      title={t('emailLogin.title')}
      lead={t('emailLogin.lead')}
      links={{
        [paths.passwordReset]: t('emailLogin.finder'),
        [paths.login]: t('emailLogin.back'),
        [paths.join]: t('login.toJoin'),
      }}
    >
      <EmailLoginForm
        email={state?.email}
        onSecondFactor={() => navigate(withReturnPath(paths.secondFactor, next))}
      />
    </AuthPage>
  );
}
