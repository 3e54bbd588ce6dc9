import { useLocation, useSearch } from 'wouter';
import { AuthPage } from '../../features/auth/auth-page.tsx';
import { JoinForm } from '../../features/auth/join-form.tsx';
import { returnPath, withReturnPath } from '../../features/auth/return-path.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { notify } from '../../shared/ui/notify.ts';

/** Sign-up (specification §2, `/join`); leads to the log-in by e-mail. */
export function JoinPage() {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  const next = returnPath(useSearch());
  const onJoined = (email: string) => {
    navigate(withReturnPath(paths.emailLogin, next), { state: { email } });
    notify.toast(t('join.done'), 'good');
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
