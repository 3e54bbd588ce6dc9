import { useLocation, useSearch } from 'wouter';
import {
  AuthCard,
  AuthLink,
  JoinForm,
  returnPath,
  SkipWhenLoggedIn,
  withReturnPath,
} from '../../features/auth/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { notify } from '../../shared/ui/notify.ts';
import { usePageTitle } from '../../shared/ui/page-title.ts';

/** Sign-up (specification §2, `/join`); leads to the log-in by e-mail. */
export function JoinPage() {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const next = returnPath(useSearch());
  usePageTitle(t('join.title'));
  const onJoined = (email: string) => {
    navigate(withReturnPath(paths.emailLogin, next), { state: { email } });
    notify.toast(t('join.done'), 'good');
  };
  return (
    <SkipWhenLoggedIn>
      <AuthCard
        title={t('join.title')}
        lead={t('join.lead')}
        links={<AuthLink href={paths.emailLogin}>{t('join.toLogin')}</AuthLink>}
      >
        <JoinForm onJoined={onJoined} />
      </AuthCard>
    </SkipWhenLoggedIn>
  );
}
