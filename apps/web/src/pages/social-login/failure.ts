import { ApiError, messageOf } from '../../shared/api/index.ts';
import { paths } from '../../shared/lib/paths.ts';

/** The page that says why a log-in failed. */
export function failurePath(code: string): string {
  return `${paths.authFailure}?${new URLSearchParams({ error: code })}`;
}

/** Where a call that failed leads: the page gets its text along. Arguments of `navigate`. */
export function failureOf(error: unknown) {
  const code = (error instanceof ApiError && error.errorName) || 'socialLoginFailed';
  return [failurePath(code), { replace: true, state: { reason: messageOf(error) } }] as const;
}
