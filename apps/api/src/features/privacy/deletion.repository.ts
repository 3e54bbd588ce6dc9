import { ACCESS_TOKEN_SECONDS, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { type Database, deleteInSlices } from '../../platform/database/index.ts';
import { createSessionEndQueries, endOfLogIn, endResetLinks } from '../auth/index.ts';
import { lockLearner } from '../users/index.ts';
import { personalTables } from './personal-data.ts';

/** A newly planned deletion. */
interface PlannedDeletion {
  readonly email: string | null;
  /** The log-ins that it ended. */
  readonly endedSessions: readonly string[];
}

/** An account that is being deleted. */
export interface LeavingAccount {
  readonly userId: UserId;
  readonly email: string | null;
  readonly profileImage: string;
}

/** The queries that delete accounts, over all tables with personal data. */
export function createDeletionRepository(database: Database) {
  return {
    /**
     * Plans the deletion of an account and ends its log-ins, including one that is just being stored.
     * @returns null if it is planned already, or there is no such account.
     */
    plan: (userId: UserId, deletesAt: Date, now: Date): Promise<PlannedDeletion | null> =>
      database.transaction().execute(async (transaction) => {
        const { rows } = await sql<{ email: string | null }>`
          update users set deletes_at = ${deletesAt} where id = ${userId} and deletes_at is null
          returning email`.execute(transaction);
        const [account] = rows;
        if (!account) return null;
        const endedSessions = await createSessionEndQueries(transaction).endSessions(
          { userId },
          now,
        );
        return { email: account.email, endedSessions };
      }),

    /** When an account will be deleted, null if it stays; undefined if it does not exist. */
    async findDeletionMs(userId: UserId): Promise<number | null | undefined> {
      const { rows } = await sql<{ deletesAt: Date | null }>`
        select greatest(deletes_at, to_timestamp(0)) as "deletesAt"
        from users where id = ${userId}`.execute(database);
      return rows[0] && (rows[0].deletesAt?.getTime() ?? null);
    },

    /** @returns false if the deletion has begun, or none is planned. */
    async cancel(userId: UserId, now: Date): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update users set deletes_at = null where id = ${userId} and deletes_at > ${now}`.execute(
        database,
      );
      return numAffectedRows === 1n;
    },

    /**
     * Begins to delete an account that was due before `until`, or, after all of these, one with an incomplete
     * deletion: from here on it cannot be cancelled, and nobody can log in.
     * @param failed accounts that are left for later.
     */
    async beginNext(until: Date, failed: readonly UserId[]): Promise<LeavingAccount | null> {
      const { rows } = await sql<LeavingAccount>`
        update users set deletes_at = '-infinity', password_hash = null, title_id = null
        where id = (select id from users
                    where deletes_at <= ${until} and id <> all(${failed}::bigint[])
                    order by deletes_at desc limit 1)
        returning id as "userId", email, profile_image as "profileImage"`.execute(database);
      return rows[0] ?? null;
    },

    async forgetEmail(userId: UserId): Promise<void> {
      await sql`
        with ${endResetLinks(userId)}
        update users set email = null, verified_email = null where id = ${userId}`.execute(
        database,
      );
    },

    /** Deletes an account's rows in tables that may have many, in batches. */
    async deleteBatches(userId: UserId): Promise<void> {
      for (const [table, { owner, onDeletion }] of Object.entries(personalTables)) {
        if (onDeletion !== 'batches') continue;
        await deleteInSlices(database, table, sql`${sql.ref(owner)} = ${userId}`);
      }
    },

    /**
     * Deletes the account and the rows that refer to it. Its log-ins stay for as long as an access token of
     * theirs may be valid, without their owner.
     * @returns the log-ins that had not ended.
     */
    finish: (userId: UserId, now: Date): Promise<string[]> =>
      database.transaction().execute(async (transaction) => {
        // The next statement finds a log-in that was just being stored.
        await lockLearner(sql`${userId}`, null, 'no key update').execute(transaction);
        const { rows } = await sql<{ id: string; isOpen: boolean }>`
          with found as (
            select id, ended_at is null as "isOpen" from login_session where user_id = ${userId} for update
          )
          update login_session
          set user_id = null, user_agent = '', ended_at = coalesce(ended_at, ${endOfLogIn(now)}),
              expires_at = least(
                expires_at, ${endOfLogIn(now)} + make_interval(secs => ${ACCESS_TOKEN_SECONDS})
              )
          from found where login_session.id = found.id
          returning login_session.id, "isOpen"`.execute(transaction);
        await sql`delete from users where id = ${userId}`.execute(transaction);
        return rows.filter(({ isOpen }) => isOpen).map(({ id }) => id);
      }),
  };
}
