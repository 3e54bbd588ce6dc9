import type { UserId } from '@mogakgong/contract';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { deleteInSlices } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { lockEmail, lockLearner, proveEmail, setPassword } from '../users/index.ts';
import type { AuthTables } from './auth.tables.ts';

interface UsedLink {
  readonly tokenHash: Buffer;
  readonly passwordHash: string;
  /** Of the cookie that the browser keeps. */
  readonly browserHash: Buffer;
}

/** The queries of a repository that change passwords, and those on mailed links that do. */
export function createPasswordQueries(db: Kysely<AuthTables>) {
  return {
    /**
     * Changes the password of a learner; ends their other log-ins, mailed links and change of e-mail.
     * @returns the log-ins; null if the password has changed since it was checked.
     */
    async changePassword(
      { userId, sessionId }: Caller,
      { passwordVersion, passwordHash }: { passwordVersion: string; passwordHash: string },
      now: Date,
    ): Promise<string[] | null> {
      const change = sql<{ id: string }>`
        with ${setPassword(sql`${userId}`, passwordHash)},
        without_links as (delete from password_reset where user_id = ${userId}),
        without_email_change as (delete from email_change where user_id = ${userId})
        update login_session set ended_at = ${now} from password_changed
        where login_session.user_id = password_changed.user_id and id <> ${sessionId}
          and ended_at is null and expires_at > ${now}
        returning id`;
      return db.transaction().execute(async (transaction) => {
        const learner = lockLearner(sql`${userId}`, passwordVersion, 'no key update');
        const { rows: locked } = await learner.execute(transaction);
        if (locked.length === 0) return null;
        const { rows } = await change.execute(transaction);
        return rows.map(({ id }) => id);
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

    /** Whose password a link can set; null for one that cannot be used. */
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
      const change = sql<{ userId: UserId | null; ended: string[] }>`
        with used as (
          delete from password_reset where token_hash = ${tokenHash} and expires_at > ${now}
          returning user_id
        ), ${setPassword(sql`select user_id from used`, passwordHash)},
        without_links as (
          delete from password_reset using used
          where password_reset.user_id = used.user_id and token_hash <> ${tokenHash}
        ), without_email_change as (
          delete from email_change using used where email_change.user_id = used.user_id
        ), browser as (
          insert into known_browser (user_id, token_hash, last_used_at)
          select user_id, ${browserHash}::bytea, ${now}::timestamptz from used
          on conflict (user_id, token_hash) do update set last_used_at = excluded.last_used_at
        ), ended as (
          update login_session set ended_at = ${now} from password_changed
          where login_session.user_id = password_changed.user_id
            and ended_at is null and expires_at > ${now}
          returning id
        )
        select (select user_id from used) as "userId",
               array(select id::text from ended) as ended`;
      const execute = async (transaction: Kysely<AuthTables>) => {
        await lockLearner(owner, null, 'no key update').execute(transaction);
        const { rows } = await change.execute(transaction);
        const { userId = null, ended = [] } = rows[0] ?? {};
        if (userId === null) return null;
        await sql`with ${proveEmail(userId)}, ${beforeProof} select`.execute(transaction);
        return ended;
      };
      return db.isTransaction ? execute(db) : db.transaction().execute(execute);
    },

    deleteExpiredResets: (now: Date) =>
      deleteInSlices(db, 'password_reset', sql`expires_at <= ${now}`),
  };
}
