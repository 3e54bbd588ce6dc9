import { useLocation } from 'wouter';
import { AuthCard } from '../../features/auth/auth-page.tsx';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { ConfirmEmailForm } from '../../features/profile/confirm-email-form.tsx';
import { reloadProfile } from '../../shared/api/profile.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { useTokenInAddress } from '../../shared/lib/token-in-address.ts';
import { notify } from '../../shared/ui/notify.ts';

/** Opened by the link in the mail to an address; the log-in of the account that asked for it confirms it. */
export function EmailChangePage() {
  const { t } = useTranslation(accountTexts);
  const [, navigate] = useLocation();
  const userId = useOwnUserId();
  const [token] = useTokenInAddress();
  const finish = (email: string) => {
    if (userId !== null) reloadProfile(userId);
    navigate(paths.myPage, { replace: true });
    notify.toast(t('email.confirmed', { email }), 'good');
  };
  return (
    <AuthCard
      title={t('email.confirmTitle')}
      lead={t(token === null ? 'email.noToken' : 'email.confirmLead')}
      links={
        userId === null
          ? { [paths.emailLogin]: t('emailLogin.title') }
          : { [paths.myPage]: t('account.myPage') }
      }
    >
      {token !== null && userId !== null ? (
        <ConfirmEmailForm key={token} token={token} onDone={finish} />
      ) : (
        <p>{t(token === null ? 'email.noTokenHelp' : 'email.logInFirst')}</p>
      )}
    </AuthCard>
  );
}
