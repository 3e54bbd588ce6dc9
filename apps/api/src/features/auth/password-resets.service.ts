import { randomBytes } from 'node:crypto';
import {
  emailProblem,
  type FinishedPasswordReset,
  type Language,
  newPasswordProblem,
  PASSWORD_RESET_SECONDS,
  passwordResetMails,
} from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError, assertNoWait } from '../../platform/http/index.ts';
import { type Limits, waitMsOf } from '../../platform/limits/index.ts';
import type { Logger } from '../../platform/logger/index.ts';
import type { Mailer } from '../../platform/mail/index.ts';
import type { UsersService } from '../users/index.ts';
import type { AuthRepository } from './auth.repository.ts';
import { hashToken } from './auth.service.ts';
import { resetMail } from './reset-mail.ts';
import type { SessionEnds } from './session-ends.ts';

const TOKEN_BYTES = 32;

interface PasswordResetsParts {
  readonly repository: AuthRepository;
  readonly users: UsersService;
  readonly sessionEnds: SessionEnds;
  readonly mailer: Mailer;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The address of the site, for links. */
  readonly siteUrl: string;
}

/** New passwords for those who have lost theirs, by a link in a mail. */
export function createPasswordResets(parts: PasswordResetsParts) {
  const { repository, users, sessionEnds, mailer, clock, logger } = parts;
  const perEmail = parts.limits.shared('password-reset-mail', passwordResetMails);
  const underWay = new Set<Promise<void>>();

  /** Mails a link to the owner of an account; nothing where there is none. */
  async function sendLink(address: string, language: Language): Promise<void> {
    const owner = await users.findByEmail(address);
    if (!owner) return;
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = new Date(clock.now().getTime() + PASSWORD_RESET_SECONDS * 1_000);
    await repository.insertReset(owner.userId, hashToken(token), expiresAt);
    const link = new URL(`/password-reset#token=${token}`, parts.siteUrl).href;
    await mailer.send({ to: owner.email, ...resetMail(language, owner.email, link) });
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
      assertNoWait(await waitMsOf(perEmail.consume(address)));
      const sending = sendLink(address, language)
        .catch((error: unknown) => logger.error({ err: error }, 'a reset mail was not sent'))
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
      return { isMailed: mailer.isSending };
    },

    /**
     * Sets a new password by the token of a link, once; ends every log-in of the account.
     * @throws ApiError `passwordsDiffer`, `weakPassword`, `commonPassword` or `resetLinkEnded`.
     */
    async finish({ token, ...given }: FinishedPasswordReset): Promise<void> {
      const problem = newPasswordProblem(given);
      if (problem) throw new ApiError(problem);
      const tokenHash = hashToken(token);
      // Hashing a password is work that not everybody may ask for.
      if (!(await repository.hasReset(tokenHash, clock.now()))) {
        throw new ApiError('resetLinkEnded');
      }
      const passwordHash = await users.hashNewPassword(given.newPassword);
      const now = clock.now();
      const ended = await repository.resetPassword(tokenHash, passwordHash, now);
      if (ended === null) throw new ApiError('resetLinkEnded');
      await sessionEnds.announce(ended, now);
    },

    deleteExpired: () => repository.deleteExpiredResets(clock.now()),

    /** Waits for the mails that are being sent. */
    close: async () => void (await Promise.all(underWay)),
  };
}

export type PasswordResets = ReturnType<typeof createPasswordResets>;
