import {
  cancelEmailChange,
  changeEmail,
  confirmEmail,
  EMAIL_CHANGE_SECONDS,
  emailProblem,
  getEmailChange,
  type Language,
  type RouteReply,
} from '@mogakgong/contract';
import { ApiError, type Caller, callLanguage } from '../../platform/http/index.ts';
import { takenError } from '../users/index.ts';
import type { AuthParts } from './auth-parts.ts';
import type { ChangedEmail } from './email-change-queries.ts';
import { emailChangedMail, newEmailMail } from './link-mails.ts';
import { hashToken } from './refresh-tokens.ts';

/** Addresses that differ in case alone reach the same person. */
const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

type LinkParts = Pick<AuthParts, 'repository' | 'links' | 'clock'>;

/** Mails a link to an address that makes it the account's, and notes that the learner reads its mails. */
async function mailLink(
  { repository, links, clock }: LinkParts,
  caller: Caller,
  newEmail: string,
  language: Language,
): Promise<void> {
  await links.consume('confirm', newEmail);
  const { tokenHash, link } = links.newLink('/email-change');
  const expiresAt = new Date(clock.now().getTime() + EMAIL_CHANGE_SECONDS * 1_000);
  const pending = { newEmail, tokenHash, expiresAt };
  if (!(await repository.storeEmailChange(caller, pending))) throw new ApiError('unauthorized');
  links.send(async () => ({ to: newEmail, ...newEmailMail(language, newEmail, link) }));
}

/**
 * Mails a link to the caller's own address, unless it is known that they read its mails or no mails reach
 * people here: otherwise the account may be of somebody else's address.
 * @returns whether it did.
 */
export async function askForProof(
  parts: LinkParts,
  caller: Caller,
  language: Language,
): Promise<boolean> {
  const { repository, links } = parts;
  const email = links.isMailed ? await repository.findUnprovenEmail(caller.userId) : null;
  if (email === null) return false;
  await mailLink(parts, caller, email, language);
  return true;
}

/** Changes of e-mail addresses, by a link that only the reader of the new address has. */
export function serveEmailChanges(parts: AuthParts): void {
  const { http, repository, users, links, clock } = parts;

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

  /**
   * Mails a link to a new address; without a mail server the address changes at once. One's own
   * address changes nothing, and gives up what was asked for before.
   * @throws ApiError `emailMissing`, `emailMalformed`, `emailTaken` or `tooManyRequests`.
   */
  async function request(
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
    await mailLink(parts, caller, newEmail, language);
    return { email, pendingEmail: newEmail };
  }

  http.serve(changeEmail, ({ caller, body, request: { headers } }) =>
    request(caller, body.newEmail, callLanguage(headers)),
  );

  http.serve(getEmailChange, async ({ caller }) => {
    const pendingEmail = await repository.findPendingEmail(caller.userId, clock.now());
    return { pendingEmail, isMailed: links.isMailed };
  });

  http.serve(cancelEmailChange, async ({ caller }) => {
    await repository.deleteEmailChange(caller.userId);
    return { pendingEmail: null };
  });

  // Its owner may press a link that somebody else has asked for with their address: it works for the asker's
  // log-in alone, so that nobody gives their address to another account.
  http.serve(confirmEmail, async ({ caller, body, request: { headers } }) => {
    const changing = repository.confirmEmail(caller.userId, hashToken(body.token), clock.now());
    return { email: await finish(changing, callLanguage(headers)) };
  });
}
