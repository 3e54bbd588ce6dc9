import { useLocation } from 'wouter';
import { AuthCard } from '../../features/auth/auth-page.tsx';
import { PasswordResetForm } from '../../features/auth/password-reset-form.tsx';
import { ResetRequestForm } from '../../features/auth/reset-request-form.tsx';
import { readAccessToken, replaceAccessToken } from '../../shared/api/index.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { useTokenInAddress } from '../../shared/lib/token-in-address.ts';
import { notify } from '../../shared/ui/notify.ts';

/** Requests a mail with a link; opened by that link, sets a new password (design §2). */
export function PasswordResetPage() {
  const { t } = useTranslation(accountTexts);
  const [, navigate] = useLocation();
  const [token, forgetToken] = useTokenInAddress();
  const links = { [paths.emailLogin]: t('emailLogin.title') };
  if (token === null) {
    return (
      <AuthCard title={t('reset.title')} lead={t('reset.lead')} links={links}>
        <ResetRequestForm />
      </AuthCard>
    );
  }
  const finish = async () => {
    // This browser's log-in may be one of those that have ended.
    const own = readAccessToken();
    if (own !== null) await replaceAccessToken(own).catch(() => null);
    navigate(paths.emailLogin, { replace: true });
    notify.toast(t('reset.done'), 'good');
  };
  return (
    <AuthCard title={t('reset.newTitle')} lead={t('reset.newLead')} links={links}>
      <PasswordResetForm token={token} onDone={finish} onStartAgain={forgetToken} />
    </AuthCard>
  );
}
