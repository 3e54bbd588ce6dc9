import type { UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { lockLearner, proveEmail, setPassword } from '../users/index.ts';
import { storeBrowser } from './known-browsers.ts';
import { createSessionEndQueries } from './session-end-queries.ts';

interface UsedLink {
  /** The owner of the password: the address of the link must still be theirs. */
  readonly userId: UserId;
  readonly tokenHash: Buffer;
  readonly passwordHash: string;
  /** Of the cookie that the browser keeps. */
  readonly browserHash: Buffer;
}

/**
 * A part of a WITH clause: deletes the links that were mailed to the address of a learner, if it is proven
 * to be theirs. A stranger who made the account with another person's address would otherwise end the links
 * in that person's mailbox.
 */
export const endResetLinks = (userId: UserId): RawBuilder<unknown> => sql`
  without_links as (
    delete from password_reset using account_email as account
    where account.user_id = ${userId} and verified_email = account.email
      and lower(password_reset.email) = lower(account.email)
  )`;

/**
 * Sets the password of a locked learner; ends their links and deletes their change of e-mail.
 * @param except the log-in that goes on, if one does.
 * @returns the log-ins that it ends.
 */
async function replacePassword(
  transaction: Database,
  userId: UserId,
  passwordHash: string,
  { except, now }: { readonly except?: string; readonly now: Date },
): Promise<string[]> {
  await sql`
    with ${setPassword(sql`${userId}`, passwordHash)}, ${endResetLinks(userId)}
    delete from email_change where user_id = ${userId}`.execute(transaction);
  const ending = { userId, ...(except !== undefined && { except }) };
  return createSessionEndQueries(transaction).endSessions(ending, now);
}

/** The queries of a repository that change passwords, and those on mailed links that do. */
export function createPasswordQueries(db: Database) {
  return {
    /**
     * Changes the password of a learner; ends their other log-ins, mailed links and change of e-mail.
     * @returns the log-ins; null if the password has changed since it was checked.
     */
    changePassword(
      { userId, sessionId: except }: Caller,
      { passwordVersion, passwordHash }: { passwordVersion: string; passwordHash: string },
      now: Date,
    ): Promise<string[] | null> {
      return db.transaction().execute(async (transaction) => {
        const learner = lockLearner(sql`${userId}`, passwordVersion, 'no key update');
        const { rows: locked } = await learner.execute(transaction);
        if (locked.length === 0) return null;
        return replacePassword(transaction, userId, passwordHash, { except, now });
      });
    },

    async insertReset(email: string, tokenHash: Buffer, expiresAt: Date): Promise<void> {
      await sql`
        insert into password_reset (email, token_hash, expires_at)
        values (${email}, ${tokenHash}, ${expiresAt})`.execute(db);
    },

    /** The learner of a link that sets a password; null for a link that cannot be used. */
    async findResetOwner(tokenHash: Buffer, now: Date): Promise<UserId | null> {
      const { rows } = await sql<{ userId: UserId }>`
        select user_id as "userId" from password_reset as link
        join account_email as account on lower(account.email) = lower(link.email)
        where token_hash = ${tokenHash} and expires_at > ${now}`.execute(db);
      return rows[0]?.userId ?? null;
    },

    /**
     * Uses a link: sets the password, ends every log-in, all other links to its address and a change of
     * e-mail; its browser is known from then on, and that the learner reads its mails.
     * @param beforeProof a part of a WITH clause: removes what the learner in `first_proof` (user_id)
     * need not have added themselves, as it was not known that the e-mail is theirs.
     * @returns the log-ins; null when the link cannot be used, or is being used.
     */
    async resetPassword(
      { userId, tokenHash, passwordHash, browserHash }: UsedLink,
      beforeProof: RawBuilder<unknown>,
      now: Date,
    ): Promise<string[] | null> {
      const execute = async (transaction: Database) => {
        await lockLearner(sql`${userId}`, null, 'no key update').execute(transaction);
        const { numAffectedRows } = await sql`
          delete from password_reset using account_email as account
          where token_hash = ${tokenHash} and expires_at > ${now}
            and account.user_id = ${userId}
            and lower(account.email) = lower(password_reset.email)`.execute(transaction);
        if (numAffectedRows === 0n) return null;
        // The proof comes first: the other links to the address end, too.
        await sql`with ${proveEmail(userId)}, ${beforeProof} select`.execute(transaction);
        const ended = await replacePassword(transaction, userId, passwordHash, { now });
        await storeBrowser({ userId, tokenHash: browserHash, now }).execute(transaction);
        return ended;
      };
      return db.isTransaction ? execute(db) : db.transaction().execute(execute);
    },
  };
}
