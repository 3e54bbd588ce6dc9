import { useLocation } from 'wouter';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { clockOf } from '../../shared/today/own-clock.ts';
import { useOwnClock } from '../../shared/today/today.ts';
import { notify } from '../../shared/ui/notify.ts';
import { logOut } from './session.ts';

/**
 * The action of the "log out" button: ends the log-in, goes to /login and says so. It ends the learner's visit:
 * a learner in focus is asked first.
 */
export function useLogOut(): () => Promise<void> {
  const { t } = useTranslation();
  const [, navigate] = useLocation();
  return async () => {
    const isFocusing = clockOf(useOwnClock.getState())?.status === 'focus';
    const question = {
      title: t('account.askLogOut'),
      text: t('account.logOutEndsVisit'),
      confirmLabel: t('account.endAndLogOut'),
      cancelLabel: t('account.keepFocusing'),
    };
    if (isFocusing && !(await notify.dialog(question))) return;
    // Both in one event: otherwise the page that needs a log-in would ask for one first.
    logOut();
    navigate(paths.login, { replace: true });
    notify.toast(t(isFocusing ? 'account.loggedOutAfterFocus' : 'account.loggedOut'));
  };
}
