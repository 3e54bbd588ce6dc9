import {
  type ChangedPassword,
  changePassword,
  emailProblem,
  type FinishedPasswordReset,
  finishPasswordReset,
  type Language,
  newPasswordProblem,
  PASSWORD_RESET_SECONDS,
  requestPasswordReset,
} from '@mogakgong/contract';
import { ApiError, type Caller, callLanguage } from '../../platform/http/index.ts';
import type { Mail } from '../../platform/mail/index.ts';
import { createAuthRepository } from './auth.repository.ts';
import type { AuthParts } from './auth-parts.ts';
import { newBrowserToken } from './known-browsers.ts';
import { resetMail } from './link-mails.ts';
import type { LoginOrigin } from './log-in-cookies.ts';
import { checkOwnPassword } from './password-checks.ts';
import { hashToken } from './refresh-tokens.ts';

/**
 * Changes the password of a learner, which ends their other log-ins. The current one is enough, unless log-ins
 * need a code.
 * @throws ApiError `loginNotRecent`, `newPasswordsDiffer`, `weakPassword`, `commonPassword`, `passwordMissing`,
 * `wrongPassword`, `tooManyRequests` or `unavailable`.
 */
async function change(
  parts: AuthParts,
  caller: Caller,
  given: ChangedPassword,
  address: string,
): Promise<void> {
  const { repository, users, secondFactor, sessionEnds, mails, clock } = parts;
  const { userId, sessionId: id } = caller;
  if (await secondFactor.lacksCode(caller)) throw new ApiError('loginNotRecent');
  const problem = newPasswordProblem(given);
  if (problem) throw new ApiError(problem);
  const checked = await checkOwnPassword(parts, caller, given.currentPassword, address);
  const origin = { address, knownBrowser: { userId, id } };
  const passwordHash = await users.hashNewPassword(given.newPassword, origin);
  const now = clock.now();
  const ended = await repository.changePassword(caller, { ...checked, passwordHash }, now);
  if (ended === null) throw new ApiError('wrongPassword');
  await sessionEnds.announce(ended, now);
  mails.send(userId, 'passwordChanged');
}

/** The mail with a link to the owner of an account; null where there is none. */
async function prepareMail(
  { repository, users, links, clock }: AuthParts,
  address: string,
  language: Language,
): Promise<Mail | null> {
  const owner = await users.findByEmail(address);
  if (!owner) return null;
  const { tokenHash, link } = links.newLink('/password-reset');
  const expiresAt = new Date(clock.now().getTime() + PASSWORD_RESET_SECONDS * 1_000);
  await repository.insertReset(owner.email, tokenHash, expiresAt);
  return { to: owner.email, ...resetMail(language, owner.email, link) };
}

/**
 * Mails a link, behind the answer: that says and takes the same whether there is an account or not.
 * @returns whether mails reach people here.
 * @throws ApiError `emailMissing`, `emailMalformed` or `tooManyRequests`.
 */
async function requestReset(
  parts: AuthParts,
  email: string,
  language: Language,
): Promise<{ isMailed: boolean }> {
  const { links } = parts;
  const address = email.trim().toLowerCase();
  const problem = emailProblem(address);
  if (problem) throw new ApiError(problem);
  await links.consume('reset', address);
  links.send(() => prepareMail(parts, address, language));
  return { isMailed: links.isMailed };
}

/**
 * Sets a new password by the token of a link, once; ends every log-in of the account that has its address.
 * An account with a second factor also needs a code: the mailbox alone does not open it. The browser
 * is known from then on, and guesses before then do not stop its owner (decision 108).
 * @returns the token of the cookie by which the browser is recognised.
 * @throws ApiError `newPasswordsDiffer`, `weakPassword`, `commonPassword`, `resetLinkEnded`,
 * `secondFactorNeeded`, `wrongCode`, `tooManyRequests` or `unavailable`.
 */
async function finishReset(
  parts: AuthParts,
  { token, code, ...given }: FinishedPasswordReset,
  { address, browserToken }: LoginOrigin,
): Promise<string> {
  const { repository, users, secondFactor, throttle, sessionEnds, mails, clock } = parts;
  const problem = newPasswordProblem(given);
  if (problem) throw new ApiError(problem);
  const tokenHash = hashToken(token);
  // Hashing a password is work that not everybody may ask for.
  const userId = await repository.findResetOwner(tokenHash, clock.now());
  if (userId === null) throw new ApiError('resetLinkEnded');
  const knownBrowser = await repository.findKnownBrowser(userId, browserToken);
  const origin = { address, knownBrowser };
  const passwordHash = await users.hashNewPassword(given.newPassword, origin);
  const ownToken = browserToken ?? newBrowserToken();
  const used = { userId, tokenHash, passwordHash, browserHash: hashToken(ownToken) };
  const now = clock.now();
  const reset = async (queries = repository) => {
    const ended = await queries.resetPassword(used, parts.beforeProof, now);
    if (ended === null) throw new ApiError('resetLinkEnded');
    return ended;
  };
  const needsCode = await secondFactor.isOn(userId);
  if (needsCode && code === undefined) throw new ApiError('secondFactorNeeded');
  const ended =
    needsCode && code !== undefined
      ? await secondFactor.use(userId, code, origin, (transaction) =>
          reset(createAuthRepository(transaction)),
        )
      : await reset();
  await sessionEnds.announce(ended, now);
  const email = await users.findPasswordEmail(userId);
  if (email !== null) await throttle.forget(email, address);
  mails.send(userId, 'passwordChanged');
  return ownToken;
}

/** Changes of passwords, and new ones in place of lost ones, by a link in a mail. */
export function servePasswords(parts: AuthParts): void {
  const { http, logInCookies } = parts;

  http.serve(changePassword, async ({ caller, body, request }) => {
    await change(parts, caller, body, request.ip);
    return { changed: true };
  });

  http.serve(requestPasswordReset, ({ body, request }) =>
    requestReset(parts, body.email, callLanguage(request.headers)),
  );

  http.serve(finishPasswordReset, async ({ body, request, reply }) => {
    const browserToken = await finishReset(parts, body, logInCookies.originOf(request));
    logInCookies.browser.set(reply, browserToken);
    return { changed: true };
  });
}
