import { ApiError, messageOf } from '../../shared/api/index.ts';
import { paths } from '../../shared/lib/paths.ts';

/** The path of the page that explains a failed log-in. */
export function failurePath(code: string): string {
  return `${paths.authFailure}?${new URLSearchParams({ error: code })}`;
}

/** The arguments of `navigate` for a failed call: the page receives its text. */
export function failureOf(error: unknown) {
  const code = (error instanceof ApiError && error.errorName) || 'socialLoginFailed';
  return [failurePath(code), { replace: true, state: { reason: messageOf(error) } }] as const;
}
