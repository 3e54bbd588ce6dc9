import type { UserId } from '@mogakgong/contract';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../platform/http/index.ts';
import { lockEmail, lockLearner, proveEmail, setPassword } from '../users/index.ts';
import type { AuthTables } from './auth.tables.ts';
import { storeBrowser } from './known-browsers.ts';
import { createSessionEndQueries } from './session-end-queries.ts';

interface UsedLink {
  readonly tokenHash: Buffer;
  readonly passwordHash: string;
  /** Of the cookie that the browser keeps. */
  readonly browserHash: Buffer;
}

/**
 * Sets the password of a learner who is locked; deletes their mailed links and change of e-mail.
 * @param except the log-in that goes on, if one does.
 * @returns the log-ins that it ends.
 */
async function replacePassword(
  transaction: Kysely<AuthTables>,
  userId: UserId,
  passwordHash: string,
  { except, now }: { readonly except?: string; readonly now: Date },
): Promise<string[]> {
  await sql`
    with ${setPassword(sql`${userId}`, passwordHash)},
    without_links as (delete from password_reset where user_id = ${userId})
    delete from email_change where user_id = ${userId}`.execute(transaction);
  const ending = { userId, ...(except !== undefined && { except }) };
  return createSessionEndQueries(transaction).endSessions(ending, now);
}

/** The queries of a repository that change passwords, and those on mailed links that do. */
export function createPasswordQueries(db: Kysely<AuthTables>) {
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

    /** @returns false, and stores nothing, if the e-mail is no longer the learner's. */
    async insertReset(
      { userId, email }: { userId: UserId; email: string },
      tokenHash: Buffer,
      expiresAt: Date,
    ): Promise<boolean> {
      const { numAffectedRows } = await sql`
        insert into password_reset (token_hash, user_id, expires_at)
        select ${tokenHash}::bytea, user_id, ${expiresAt}::timestamptz
        from (${lockEmail(userId, email)}) as learner`.execute(db);
      return numAffectedRows === 1n;
    },

    /** The learner whose password a link can set; null for a link that cannot be used. */
    async findResetOwner(tokenHash: Buffer, now: Date): Promise<UserId | null> {
      const row = await db
        .selectFrom('password_reset')
        .select('user_id')
        .where('token_hash', '=', tokenHash)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row?.user_id ?? null;
    },

    /**
     * Uses a link: sets the password, ends every log-in, all other links and a change of e-mail; its browser
     * is known from then on.
     * @param beforeProof a part of a WITH clause: removes what the learner in `first_proof` (user_id)
     * need not have added themselves, as it was not known that the e-mail is theirs.
     * @returns the log-ins; null when the link cannot be used, or is being used.
     */
    async resetPassword(
      { tokenHash, passwordHash, browserHash }: UsedLink,
      beforeProof: RawBuilder<unknown>,
      now: Date,
    ): Promise<string[] | null> {
      const owner = sql`select user_id from password_reset where token_hash = ${tokenHash}`;
      const execute = async (transaction: Kysely<AuthTables>) => {
        await lockLearner(owner, null, 'no key update').execute(transaction);
        const used = await transaction
          .deleteFrom('password_reset')
          .where('token_hash', '=', tokenHash)
          .where('expires_at', '>', now)
          .returning('user_id')
          .executeTakeFirst();
        if (!used) return null;
        const { user_id: userId } = used;
        const ended = await replacePassword(transaction, userId, passwordHash, { now });
        await storeBrowser({ userId, tokenHash: browserHash, now }).execute(transaction);
        await sql`with ${proveEmail(userId)}, ${beforeProof} select`.execute(transaction);
        return ended;
      };
      return db.isTransaction ? execute(db) : db.transaction().execute(execute);
    },
  };
}
