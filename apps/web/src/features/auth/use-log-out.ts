import { useLocation } from 'wouter';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { notify } from '../../shared/ui/notify.ts';
import { logOut } from './session.ts';

/** What a press on "log out" does: it ends the log-in, leads to /login and says so. */
export function useLogOut(): () => void {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  return () => {
    // Both in one event: the page that needs a log-in is gone before it could ask for one.
    logOut();
    navigate(paths.login, { replace: true });
    notify.toast(t('account.loggedOut'));
  };
}
