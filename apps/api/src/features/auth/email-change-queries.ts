import type { UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { changeEmail, lockLearner, storeWhileLoggedIn } from '../users/index.ts';

/** An e-mail that has become a learner's. */
export interface ChangedEmail {
  readonly email: string;
  /** The one before it; null for the first. */
  readonly formerEmail: string | null;
}

interface PendingChange {
  readonly newEmail: string;
  readonly tokenHash: Buffer;
  readonly expiresAt: Date;
}

/** The queries of a repository that change e-mail addresses. */
export function createEmailChangeQueries(db: Database) {
  /**
   * Gives a learner the e-mail in `chosen` (user_id, new_email). A unique index refuses what is taken, which
   * changes nothing.
   * @param isProven the change is made by a link that was mailed to the e-mail.
   * @returns null if `chosen` is empty.
   */
  function change(userId: UserId, chosen: RawBuilder<unknown>, isProven: boolean) {
    const statement = sql<ChangedEmail>`
      with chosen as (${chosen}), ${changeEmail(isProven)}
      select new_email as email, account.email as "formerEmail"
      from chosen join account_email as account using (user_id)`;
    return db.transaction().execute(async (transaction) => {
      // First, like a new password, which deletes the row of the change: neither waits for the other.
      await lockLearner(sql`${userId}`, null, 'no key update').execute(transaction);
      const { rows } = await statement.execute(transaction);
      return rows[0] ?? null;
    });
  }

  return {
    /**
     * Stores the change that a learner has asked for, in place of an earlier one.
     * @returns false, and stores nothing, if their log-in has ended, as a new password ends others.
     */
    storeEmailChange: (caller: Caller, { newEmail, tokenHash, expiresAt }: PendingChange) =>
      storeWhileLoggedIn(
        db,
        caller,
        (logIn) => sql`
          insert into email_change (user_id, new_email, token_hash, expires_at)
          select user_id, ${newEmail}, ${tokenHash}::bytea, ${expiresAt}::timestamptz
          from ${logIn}
          on conflict (user_id) do update
          set new_email = excluded.new_email, token_hash = excluded.token_hash,
              expires_at = excluded.expires_at`,
      ),

    async findPendingEmail(userId: UserId, now: Date): Promise<string | null> {
      const { rows } = await sql<{ email: string }>`
        select new_email as email from email_change
        where user_id = ${userId} and expires_at > ${now}`.execute(db);
      return rows[0]?.email ?? null;
    },

    /** A learner's unproven e-mail; null if proven, or without one. */
    async findUnprovenEmail(userId: UserId): Promise<string | null> {
      const { rows } = await sql<{ email: string | null }>`
        select email from account_email
        where user_id = ${userId} and verified_email is distinct from email`.execute(db);
      return rows[0]?.email ?? null;
    },

    async deleteEmailChange(userId: UserId): Promise<void> {
      await sql`delete from email_change where user_id = ${userId}`.execute(db);
    },

    /** Changes an e-mail at once. */
    changeEmail: (userId: UserId, email: string) =>
      change(userId, sql`select ${userId}::bigint as user_id, ${email}::text as new_email`, false),

    /** Uses the link of a mail that a learner has asked for. @returns null when it cannot be used, or is being used. */
    confirmEmail: (userId: UserId, tokenHash: Buffer, now: Date) =>
      change(
        userId,
        sql`
          delete from email_change
          where user_id = ${userId} and token_hash = ${tokenHash} and expires_at > ${now}
          returning user_id, new_email`,
        true,
      ),
  };
}
