import { finishSocialLogin, type SocialProvider } from '@mogakgong/contract';
import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { withReturnPath } from '../../features/auth/return-path.ts';
import { call } from '../../shared/api/index.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { notify } from '../../shared/ui/notify.ts';
import { failureOf, failurePath } from './failure.ts';
import { Processing } from './processing.tsx';

/** The page a provider redirects to (specification §2, `/kakao/callback`). */
export function SocialCallbackPage() {
  const { t } = useTranslation(accountTexts);
  const [path, navigate] = useLocation();
  const hasStarted = useRef(false);
  useEffect(() => {
    // A code is valid once, and React may run effects twice.
    if (hasStarted.current) return;
    hasStarted.current = true;
    finish(path, new URLSearchParams(window.location.search)).then(
      ({ target, isLinked }) => {
        navigate(target, { replace: true });
        // A toast disappears with its page, so it is shown after navigating.
        if (isLinked) notify.toast(t('callback.linked'), 'good');
      },
      (error: unknown) => navigate(...failureOf(error)),
    );
  }, [path, navigate, t]);
  return <Processing />;
}

function providerOf(path: string): SocialProvider {
  if (path.startsWith('/google')) return 'google';
  return path.startsWith('/kakao') ? 'kakao' : 'naver';
}

interface Ending {
  /** The next path. */
  readonly target: string;
  readonly isLinked?: boolean;
}

async function finish(path: string, given: URLSearchParams): Promise<Ending> {
  const code = given.get('code');
  if (code === null) return { target: failurePath(given.get('error') ?? 'missing_code') };
  const params = { provider: providerOf(path) };
  const [state, iss] = ['state', 'iss'].map((name) => given.get(name) ?? undefined);
  const query = { code, state, iss };
  const outcome = await call(finishSocialLogin, { params, query });
  const { token, needsSecondFactor, isNew, isLinked, next } = outcome;
  if (isLinked) return { target: next, isLinked };
  if (needsSecondFactor) return { target: withReturnPath(paths.secondFactor, next) };
  if (token === undefined) return { target: isNew ? withReturnPath(paths.extraInfo, next) : next };
  const answer = new URLSearchParams({ token, isNew: String(isNew) });
  return { target: `${paths.authSuccess}?${new URLSearchParams({ next })}#${answer}` };
}
