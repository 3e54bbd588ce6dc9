import { ApiError, type Caller, type GuessOrigin } from '../../platform/http/index.ts';
import type { CheckedPassword } from '../users/index.ts';
import type { AuthParts } from './auth-parts.ts';

/**
 * The password of an account, if it is right; guessing is slowed down.
 * @throws ApiError `tooManyRequests` or `unavailable`.
 */
export function checkPassword(
  { users, throttle }: AuthParts,
  { email, password }: { readonly email: string; readonly password: string },
  origin: GuessOrigin,
): Promise<CheckedPassword | null> {
  return throttle.judge(email, origin, () => users.findByPassword(email, password, origin));
}

/**
 * Checks the password of a logged-in learner; guesses count like those of a log-in.
 * @throws ApiError `passwordMissing`, `wrongPassword`, `tooManyRequests` or `unavailable`.
 */
export async function checkOwnPassword(
  parts: AuthParts,
  { userId, sessionId: id }: Caller,
  password: string,
  address: string,
): Promise<CheckedPassword> {
  const email = await parts.users.findPasswordEmail(userId);
  if (email === null) throw new ApiError('passwordMissing');
  const origin = { address, knownBrowser: { userId, id } };
  const checked = await checkPassword(parts, { email, password }, origin);
  if (checked === null) throw new ApiError('wrongPassword');
  return checked;
}
