import { refresh } from '@mogakgong/contract';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { returnPath } from '../../features/auth/return-path.ts';
import { logInWithToken, sessionIdOfToken } from '../../features/auth/session.ts';
import { call, underRefreshLock } from '../../shared/api/index.ts';
import { paths } from '../../shared/lib/paths.ts';
import { failurePath } from './failure.ts';
import { Processing } from './processing.tsx';

/** Logs in with the token in the address (specification §2, `/auth/success`). */
export function AuthSuccessPage() {
  const [, navigate] = useLocation();
  const hasStarted = useRef(false);
  useEffect(() => {
    // The address is cleared at once, and React may run effects twice.
    if (hasStarted.current) return;
    hasStarted.current = true;
    const { search, hash } = window.location;
    navigate(paths.authSuccess, { replace: true });
    void logIn(search, hash).then((target) => navigate(target, { replace: true }));
  }, [navigate]);
  return <Processing />;
}

/** Resolves to the next path. */
async function logIn(search: string, hash: string): Promise<string> {
  const query = new URLSearchParams(search);
  const given = new URLSearchParams(hash.slice(1));
  const read = (name: string) => given.get(name) ?? query.get(name);
  const token = read('token');
  if (!token) return failurePath('missing_token');
  const own = await ownToken(token);
  if (own === null) return failurePath('invalid_token');
  await logInWithToken(own);
  if (read('isNew') === 'true') return paths.extraInfo;
  return query.has('next') ? returnPath(search) : paths.landing;
}

/**
 * A token of the same log-in, by this browser's cookie; null for the token of a log-in elsewhere: such a link
 * could log a person in to a stranger's account.
 */
async function ownToken(token: string): Promise<string | null> {
  const sessionId = sessionIdOfToken(token);
  if (sessionId === null) return null;
  const answer = await underRefreshLock(() => call(refresh, {})).catch(() => null);
  return answer !== null && sessionIdOfToken(answer.token) === sessionId ? answer.token : null;
}
