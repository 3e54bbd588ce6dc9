import type { UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { type Database, deleteInSlices } from '../../platform/database/index.ts';
import { isInForce } from './in-force-queries.ts';

/** The queries on sanctions of deleted accounts, and on old ones. */
export function createDeletedOwnerQueries(db: Database) {
  return {
    async findProvenEmail(userId: UserId): Promise<string | null> {
      const { rows } = await sql<{ email: string | null }>`
        select verified_email as email from account_email where user_id = ${userId}`.execute(db);
      return rows[0]?.email ?? null;
    },

    /**
     * Deletes the sanctions of an account that is being deleted, but keeps suspensions and bans, under a hash
     * of its e-mail and without any text; nothing without such a hash. Sanctions from an earlier account keep
     * their hash, whether the e-mail was proven again or not. From now on the rows have no owner: the e-mail
     * is free before the account is deleted.
     */
    async detach(
      userId: UserId,
      { hash, reason, until }: { hash: Buffer | null; reason: string; until: Date },
      now: Date,
    ): Promise<void> {
      const keptHash = sql`coalesce(email_hash, ${hash}::bytea)`;
      const isKept = sql`
        (kind in ('suspend', 'ban') and ${isInForce(now)} and ${keptHash} is not null)`;
      await sql`
        with kept as (
          update sanction
          set user_id = null, email_hash = ${keptHash}, reason = ${reason}, appeal_text = null,
              appeal_answer = null, ends_at = least(ends_at, ${until})
          where user_id = ${userId} and ${isKept}
        )
        delete from sanction where user_id = ${userId} and not ${isKept}`.execute(db);
    },

    /**
     * Assigns kept sanctions of a deleted account to one with its e-mail.
     * @returns whether there were any.
     */
    async attach(userId: UserId, hashes: readonly Buffer[], now: Date): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update sanction
        set user_id = ${userId}, acknowledged_at = null, changed_at = ${now}
        where email_hash = any(${hashes}::bytea[]) and user_id is null and ${isInForce(now)}`.execute(
        db,
      );
      return (numAffectedRows ?? 0n) > 0n;
    },

    /** Deletes sanctions that ended before `until`, and those of deleted accounts once they have ended. */
    deleteOld: (until: Date, now: Date) =>
      deleteInSlices(
        db,
        'sanction',
        sql`
          coalesce(lifted_at, ends_at) <= ${until}
          or user_id is null and (email_hash is null or not (${isInForce(now)}))`,
      ),
  };
}
