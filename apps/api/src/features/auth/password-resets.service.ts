import {
  emailProblem,
  type FinishedPasswordReset,
  type Language,
  newPasswordProblem,
  PASSWORD_RESET_SECONDS,
} from '@mogakgong/contract';
import type { RawBuilder } from 'kysely';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError, type GuessThrottle } from '../../platform/http/index.ts';
import type { Mail } from '../../platform/mail/index.ts';
import type { SecondFactorService } from '../second-factor/index.ts';
import type { UsersService } from '../users/index.ts';
import { type AuthRepository, createAuthRepository } from './auth.repository.ts';
import { newBrowserToken } from './known-browsers.ts';
import type { MailedLinks } from './mailed-links.ts';
import type { LoginOrigin } from './new-log-ins.ts';
import { hashToken } from './refresh-tokens.ts';
import { resetMail } from './reset-mail.ts';
import type { SecurityMails } from './security-mails.ts';
import type { SessionEnds } from './session-ends.ts';

interface PasswordResetsParts {
  readonly repository: AuthRepository;
  readonly users: UsersService;
  readonly secondFactor: SecondFactorService;
  readonly throttle: GuessThrottle;
  readonly sessionEnds: SessionEnds;
  readonly links: MailedLinks;
  readonly mails: SecurityMails;
  readonly clock: Clock;
  /** SQL for `repository.resetPassword`. */
  readonly beforeProof: RawBuilder<unknown>;
}

/** New passwords for those who have lost theirs, by a link in a mail. */
export function createPasswordResets(parts: PasswordResetsParts) {
  const { repository, users, secondFactor, throttle, sessionEnds, links, mails, clock } = parts;

  /** The mail with a link to the owner of an account; null where there is none. */
  async function prepareMail(address: string, language: Language): Promise<Mail | null> {
    const owner = await users.findByEmail(address);
    if (!owner) return null;
    const { tokenHash, link } = links.newLink('/password-reset');
    const expiresAt = new Date(clock.now().getTime() + PASSWORD_RESET_SECONDS * 1_000);
    const isStored = await repository.insertReset(owner, tokenHash, expiresAt);
    return isStored ? { to: owner.email, ...resetMail(language, owner.email, link) } : null;
  }

  return {
    /**
     * Mails a link, behind the answer: that says and takes the same whether there is an account or not.
     * @returns whether mails reach people here.
     * @throws ApiError `emailMissing`, `emailMalformed` or `tooManyRequests`.
     */
    async request(email: string, language: Language): Promise<{ isMailed: boolean }> {
      const address = email.trim().toLowerCase();
      const problem = emailProblem(address);
      if (problem) throw new ApiError(problem);
      await links.consume(address);
      links.send(() => prepareMail(address, language));
      return { isMailed: links.isMailed };
    },

    /**
     * Sets a new password by the token of a link, once; ends every log-in of the account.
     * An account with a second factor also needs a code: the mailbox alone does not open it. The browser
     * is known from then on, and guesses before then do not stop its owner (decision 108).
     * @returns the token of the cookie by which the browser is recognised.
     * @throws ApiError `passwordsDiffer`, `weakPassword`, `commonPassword`, `resetLinkEnded`,
     * `secondFactorNeeded`, `wrongCode`, `tooManyRequests` or `unavailable`.
     */
    async finish(
      { token, code, ...given }: FinishedPasswordReset,
      { address, browserToken }: LoginOrigin,
    ): Promise<string> {
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
      const used = { tokenHash, passwordHash, browserHash: hashToken(ownToken) };
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
    },

    deleteExpired: () => repository.deleteExpiredResets(clock.now()),
  };
}

export type PasswordResets = ReturnType<typeof createPasswordResets>;
