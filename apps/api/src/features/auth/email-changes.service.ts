import {
  type changeEmail,
  EMAIL_CHANGE_SECONDS,
  emailProblem,
  type Language,
  type RouteReply,
  type UserId,
} from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError, type Caller } from '../../platform/http/index.ts';
import { takenError, type UsersService } from '../users/index.ts';
import type { AuthRepository } from './auth.repository.ts';
import { emailChangedMail, newEmailMail } from './email-change-mails.ts';
import type { ChangedEmail } from './email-change-queries.ts';
import type { MailedLinks } from './mailed-links.ts';
import { hashToken } from './refresh-tokens.ts';

interface EmailChangesParts {
  readonly repository: AuthRepository;
  readonly users: UsersService;
  readonly links: MailedLinks;
  readonly clock: Clock;
}

/** Addresses that differ in case alone reach the same person. */
const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Changes of e-mail addresses: by a link that only who reads the new address has. */
export function createEmailChanges({ repository, users, links, clock }: EmailChangesParts) {
  /** Waits for a change, and writes to the address that it replaced. */
  async function finish(changing: Promise<ChangedEmail | null>, language: Language) {
    const changed = await changing.catch((cause: unknown) => {
      throw takenError(cause);
    });
    if (!changed) throw new ApiError('emailLinkEnded');
    const { email, formerEmail } = changed;
    if (formerEmail !== null && !isSame(formerEmail, email)) {
      links.send(async () => ({ to: formerEmail, ...emailChangedMail(language, formerEmail) }));
    }
    return email;
  }

  return {
    /**
     * Mails a link to a new address; without a mail server the address changes at once. One's own
     * address changes nothing, and gives up what was asked for before.
     * @throws ApiError `emailMissing`, `emailMalformed`, `emailTaken` or `tooManyRequests`.
     */
    async request(
      caller: Caller,
      given: string,
      language: Language,
    ): Promise<RouteReply<typeof changeEmail>> {
      const { userId } = caller;
      const newEmail = given.trim();
      const problem = emailProblem(newEmail);
      if (problem) throw new ApiError(problem);
      const { email } = await users.getProfile(userId);
      const isOwn = isSame(newEmail, email);
      if (!isOwn) await users.assertEmailFree(newEmail);
      if (isOwn || !links.isMailed) {
        await repository.deleteEmailChange(userId);
        const changing = repository.changeEmail(userId, newEmail);
        return { email: await finish(changing, language), pendingEmail: null };
      }
      await links.consume(newEmail);
      const { tokenHash, link } = links.newLink('/email-change');
      const expiresAt = new Date(clock.now().getTime() + EMAIL_CHANGE_SECONDS * 1_000);
      const pending = { newEmail, tokenHash, expiresAt };
      if (!(await repository.storeEmailChange(caller, pending))) throw new ApiError('unauthorized');
      links.send(async () => ({ to: newEmail, ...newEmailMail(language, newEmail, link) }));
      return { email, pendingEmail: newEmail };
    },

    async findPending(userId: UserId) {
      const pendingEmail = await repository.findPendingEmail(userId, clock.now());
      return { pendingEmail, isMailed: links.isMailed };
    },

    cancel: (userId: UserId) => repository.deleteEmailChange(userId),

    /**
     * Changes an e-mail by the token of a link, once; the new address.
     * @throws ApiError `emailLinkEnded`, or `emailTaken` when somebody else has it by now.
     */
    confirm: (token: string, language: Language): Promise<string> =>
      finish(repository.confirmEmail(hashToken(token), clock.now()), language),

    deleteExpired: () => repository.deleteExpiredEmailChanges(clock.now()),
  };
}

export type EmailChanges = ReturnType<typeof createEmailChanges>;
