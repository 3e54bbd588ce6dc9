import type { ReactNode } from 'react';
import { Redirect, useLocation } from 'wouter';
import { paths } from '../../shared/lib/paths.ts';
import { withReturnPath } from './return-path.ts';
import { isLogOutIntended, useSession } from './session.ts';

/** Shows a page to the logged-in only; others log in first and come back (specification §2, §6). */
export function RequireLogin({ children }: { readonly children: ReactNode }) {
  const isLoggedIn = useSession((session) => session.isLoggedIn);
  const [path] = useLocation();
  if (isLoggedIn) return children;
  const login = isLogOutIntended() ? paths.login : withReturnPath(paths.login, path);
  return <Redirect to={login} replace />;
}
