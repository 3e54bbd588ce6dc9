import { useHistoryState } from 'wouter/use-browser-location';
import { AuthCard, AuthLink, EmailLoginForm, SkipWhenLoggedIn } from '../../features/auth/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { usePageTitle } from '../../shared/ui/page-title.ts';

/** Log-in by e-mail (specification §2, `/email-login`); goes on by itself once logged in. */
export function EmailLoginPage() {
  const { t } = useTranslation();
  const state = useHistoryState<{ email?: string } | null>();
  usePageTitle(t('emailLogin.title'));
  return (
    <SkipWhenLoggedIn>
      <AuthCard
        title={t('emailLogin.title')}
        lead={t('emailLogin.lead')}
        links={
          <>
            <AuthLink href={paths.login}>{t('emailLogin.back')}</AuthLink>
            <AuthLink href={paths.join}>{t('login.toJoin')}</AuthLink>
          </>
        }
      >
        <EmailLoginForm email={state?.email} />
      </AuthCard>
    </SkipWhenLoggedIn>
  );
}
