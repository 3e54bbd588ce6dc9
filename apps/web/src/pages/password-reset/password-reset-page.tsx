import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { accountTexts } from '../../features/auth/account-texts.ts';
import { AuthCard } from '../../features/auth/auth-page.tsx';
import { PasswordResetForm } from '../../features/auth/password-reset-form.tsx';
import { ResetRequestForm } from '../../features/auth/reset-request-form.tsx';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { notify } from '../../shared/ui/notify.ts';

/** The token of a mailed link: behind the hash, so that no server or log sees it. */
const tokenInAddress = () => new URLSearchParams(window.location.hash.slice(1)).get('token');

/** Asks for a mail with a link; opened by that link, sets a new password (design §2). */
export function PasswordResetPage() {
  const { t } = useTranslation(accountTexts);
  const [, navigate] = useLocation();
  const [token, setToken] = useState(tokenInAddress);
  // A link that is opened in this very tab changes nothing but the hash.
  useEffect(() => {
    const follow = () => setToken(tokenInAddress());
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  const links = { [paths.emailLogin]: t('emailLogin.title') };
  if (token === null) {
    return (
      <AuthCard title={t('reset.title')} lead={t('reset.lead')} links={links}>
        <ResetRequestForm />
      </AuthCard>
    );
  }
  const finish = () => {
    navigate(paths.emailLogin, { replace: true });
    notify.toast(t('reset.done'), 'good');
  };
  const startAgain = () => {
    window.history.replaceState(null, '', paths.passwordReset);
    setToken(null);
  };
  return (
    <AuthCard title={t('reset.newTitle')} lead={t('reset.newLead')} links={links}>
      <PasswordResetForm token={token} onDone={finish} onStartAgain={startAgain} />
    </AuthCard>
  );
}
