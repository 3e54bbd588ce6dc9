import { type ReactNode, useEffect } from 'react';
import { Redirect, useLocation } from 'wouter';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { notify } from '../../shared/ui/notify.ts';
import { LogInAgain } from './log-in-again.tsx';
import { useOwnUserId } from './own-user-id.ts';
import { withReturnPath } from './return-path.ts';
import { useSession } from './session.ts';

/**
 * Shows a page to logged-in learners; others log in first and come back (specification §2, §6). A learner
 * without a valid id logs in again (§8).
 */
export function RequireLogin({ children }: { readonly children: ReactNode }) {
  const isLoggedIn = useSession((session) => session.isLoggedIn);
  const userId = useOwnUserId();
  if (!isLoggedIn) return <ToLogin />;
  return userId === null ? <LogInAgain /> : children;
}

/** Says why, and keeps the return path (specification §8). */
function ToLogin() {
  const { t } = useTranslation();
  const [path] = useLocation();
  useEffect(() => void notify.toast(t('account.loginRequired')), [t]);
  return <Redirect to={withReturnPath(paths.login, path)} replace />;
}
