import { useLocation } from 'wouter';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { notify } from '../../shared/ui/notify.ts';
import { logOut } from './session.ts';

/** The action of the "log out" button: ends the log-in, goes to /login and says so. */
export function useLogOut(): () => void {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  return () => {
    // Both in one event: otherwise the page that needs a log-in would ask for one first.
    logOut();
    navigate(paths.login, { replace: true });
    notify.toast(t('account.loggedOut'));
  };
}
