import type { UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { lockLearner, storeWhileLoggedIn } from '../users/index.ts';

interface StoredFactor {
  readonly sealedSecret: Buffer;
  /** Null until a first code was right. */
  readonly confirmedAt: Date | null;
  readonly recoveryHashes: Buffer[];
}

/** The secret that is confirmed, the time step of the code that did it, and the recovery codes. */
interface Confirmation {
  readonly sealedSecret: Buffer;
  readonly step: number;
  readonly hashes: readonly Buffer[];
}

/** The code that was right: one of the app, by its time step, or a recovery code. */
export type TakenCode =
  | { readonly step: number; readonly hash: null }
  | { readonly step: null; readonly hash: Buffer };

/** The queries of a repository that judge a log-in and store it in one transaction. */
const createJudgements = (database: Database) => ({
  /**
   * Stores the result of one factor, unless a second one is on; none is turned on meanwhile.
   * @returns what `store` resolves to; null if one is on.
   */
  whileOff: <Result>(
    userId: UserId,
    store: (transaction: Database) => Promise<Result>,
  ): Promise<Result | null> =>
    database.transaction().execute(async (transaction) => {
      await lockLearner(sql`${userId}`, null, 'share').execute(transaction);
      const { rows } = await sql`
        select from second_factor
        where user_id = ${userId} and confirmed_at is not null`.execute(transaction);
      return rows.length === 0 ? store(transaction) : null;
    }),

  /**
   * Takes a code, once, and none of an earlier time step after it, in one transaction with what its
   * owner gets for it: a failure there costs no code.
   * @param store its error gives the code back.
   * @returns what `store` resolves to; null if the code was taken before.
   */
  take: <Result>(
    userId: UserId,
    { step, hash }: TakenCode,
    store: (transaction: Database) => Promise<Result>,
  ): Promise<Result | null> =>
    database.transaction().execute(async (transaction) => {
      // First, like every change of how the learner logs in.
      await lockLearner(sql`${userId}`, null, 'no key update').execute(transaction);
      const { numAffectedRows } = await sql`
        update second_factor
        set last_step = coalesce(${step}::bigint, last_step),
            recovery_hashes = array_remove(recovery_hashes, ${hash}::bytea)
        where user_id = ${userId} and confirmed_at is not null
          and (last_step < ${step}::bigint or ${hash}::bytea = any(recovery_hashes))`.execute(
        transaction,
      );
      return numAffectedRows === 1n ? store(transaction) : null;
    }),
});

/** The only queries on second factors. */
export function createSecondFactorRepository(database: Database) {
  return {
    async find(userId: UserId): Promise<StoredFactor | undefined> {
      const { rows } = await sql<StoredFactor>`
        select sealed_secret as "sealedSecret", confirmed_at as "confirmedAt",
               recovery_hashes as "recoveryHashes"
        from second_factor where user_id = ${userId}`.execute(database);
      return rows[0];
    },

    /** Stores a secret that is not confirmed, in place of another such. @returns false if one is on. */
    async insertUnconfirmed(userId: UserId, sealedSecret: Buffer): Promise<boolean> {
      const { numAffectedRows } = await sql`
        insert into second_factor (user_id, sealed_secret) values (${userId}, ${sealedSecret})
        on conflict (user_id) do update set sealed_secret = excluded.sealed_secret
        where second_factor.confirmed_at is null`.execute(database);
      return numAffectedRows === 1n;
    },

    /**
     * Turns a secret on.
     * @param andThen stores what else changes with it, in the same transaction.
     * @returns false if the log-in has ended, or it was replaced, or is on already.
     */
    confirm(
      caller: Caller,
      { sealedSecret, step, hashes }: Confirmation,
      now: Date,
      andThen: (transaction: Database) => Promise<void>,
    ): Promise<boolean> {
      return storeWhileLoggedIn(
        database,
        caller,
        (logIn) => sql`
        update second_factor
        set confirmed_at = ${now}, last_step = ${step}, recovery_hashes = ${hashes}::bytea[]
        from ${logIn}
        where second_factor.user_id = log_in.user_id and sealed_secret = ${sealedSecret}
          and confirmed_at is null`,
        andThen,
      );
    },

    /** @returns false if there is no second factor that is on. */
    async replaceRecoveryCodes(userId: UserId, hashes: readonly Buffer[]): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update second_factor set recovery_hashes = ${hashes}
        where user_id = ${userId} and confirmed_at is not null`.execute(database);
      return numAffectedRows === 1n;
    },

    /** @returns whether one was on. */
    async delete(userId: UserId): Promise<boolean> {
      const { rows } = await sql<{ wasOn: boolean }>`
        delete from second_factor where user_id = ${userId}
        returning confirmed_at is not null as "wasOn"`.execute(database);
      return rows[0]?.wasOn ?? false;
    },

    ...createJudgements(database),
  };
}

export type SecondFactorRepository = ReturnType<typeof createSecondFactorRepository>;
