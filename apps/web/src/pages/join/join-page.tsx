import { useLocation, useSearch } from 'wouter';
import { AuthPage } from '../../features/auth/auth-page.tsx';
import { type Credentials, JoinForm } from '../../features/auth/join-form.tsx';
import { firstEntryPath, returnPath, withReturnPath } from '../../features/auth/return-path.ts';
import { logInWithEmail } from '../../features/auth/session.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { notify } from '../../shared/ui/notify.ts';

/**
 * Sign-up (specification §2, `/join`); leads to the log-in by e-mail, which goes on by itself: nobody types a new
 * password twice.
 */
export function JoinPage() {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const next = returnPath(useSearch());
  const onJoined = (credentials: Credentials) => {
    const { email } = credentials;
    navigate(withReturnPath(paths.emailLogin, firstEntryPath(next)), { state: { email } });
    logInWithEmail(credentials, t('login.failed')).catch(() =>
      notify.toast(t('join.done'), 'good'),
    );
  };
  return (
    <AuthPage
      title={t('join.title')}
      lead={t('join.lead')}
      links={{ [paths.emailLogin]: t('join.toLogin') }}
    >
      <JoinForm onJoined={onJoined} />
    </AuthPage>
  );
}
