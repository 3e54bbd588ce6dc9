import {
  cancelEmailChange,
  changeEmail,
  getEmailChange,
  type RouteReply,
  type UserId,
} from '@mogakgong/contract';
import { call, type Loaded } from '../../shared/api/index.ts';
import { changeProfile, learnerKey } from '../../shared/api/profile.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';

type EmailChange = RouteReply<typeof getEmailChange>;

const emailChangeKey = (userId: UserId) => [...learnerKey(userId), 'email-change'];

/** The new e-mail that awaits confirmation, and whether a change needs one. */
export function useEmailChange(userId: UserId): Loaded<EmailChange> {
  return useLoaded(
    emailChangeKey(userId),
    (signal) => call(getEmailChange, {}, { signal }),
    // The link of the mail is opened elsewhere.
    { refetchOnWindowFocus: true },
  );
}

function setPending(userId: UserId, pendingEmail: string | null): void {
  queryClient.setQueryData<EmailChange>(
    emailChangeKey(userId),
    (change) => change && { ...change, pendingEmail },
  );
}

/** Requests a change, and shows its state; throws `ApiError`. */
export async function askForEmailChange(userId: UserId, newEmail: string, fallback: string) {
  const changed = await call(changeEmail, { body: { newEmail } }, { fallback });
  setPending(userId, changed.pendingEmail);
  changeProfile(userId, { email: changed.email ?? newEmail.trim() });
  return changed;
}

/** Cancels a change; throws `ApiError`. */
export async function giveUpEmailChange(userId: UserId, fallback: string): Promise<void> {
  const { pendingEmail } = await call(cancelEmailChange, {}, { fallback });
  setPending(userId, pendingEmail);
}
