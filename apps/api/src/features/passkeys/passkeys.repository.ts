import { randomUUID } from 'node:crypto';
import { PASSKEYS_MAX, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { storeWhileLoggedIn } from '../users/index.ts';
import type { PasskeysTables } from './passkeys.tables.ts';

interface StoredPasskey {
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly now: Date;
}

interface PasskeyUse {
  readonly credentialId: string;
  readonly signCount: number;
  /** When its challenge was made. */
  readonly challengedAt: Date;
  readonly now: Date;
}

/**
 * A part of a WITH clause that removes every passkey of the learner in `first_proof` (user_id): until
 * then, somebody else may have made the account with their e-mail, and added a passkey of their own.
 */
export const removePasskeysBeforeProof = sql`
  passkeys_removed as (
    delete from passkey using first_proof where passkey.user_id = first_proof.user_id
  )`;

/** The only queries on passkeys. */
export function createPasskeysRepository(database: Database) {
  const db = database.withTables<PasskeysTables>();

  return {
    /** @returns false if it is not stored: the log-in has ended, somebody has it already, or it is one too many. */
    insert: (caller: Caller, { now, ...passkey }: StoredPasskey): Promise<boolean> =>
      storeWhileLoggedIn(
        db,
        caller,
        (logIn) => sql`
          insert into passkey
            (id, user_id, credential_id, public_key, sign_count, transports, name, created_at)
          select ${randomUUID()}::uuid, user_id, ${passkey.credentialId},
                 ${passkey.publicKey}::bytea, ${passkey.signCount}::bigint,
                 ${passkey.transports}::text[], ${passkey.name}, ${now}::timestamptz
          from ${logIn}
          where (select count(*) from passkey where user_id = ${caller.userId}) < ${PASSKEYS_MAX}
          on conflict do nothing`,
      ),

    /** The oldest first. */
    async findOwn(userId: UserId) {
      return db
        .selectFrom('passkey')
        .select(['id', 'credential_id', 'transports', 'name', 'created_at', 'last_used_at'])
        .where('user_id', '=', userId)
        .orderBy('created_at')
        .execute();
    },

    async findByCredential(credentialId: string) {
      return db
        .selectFrom('passkey')
        .select(['user_id', 'public_key', 'sign_count'])
        .where('credential_id', '=', credentialId)
        .executeTakeFirst();
    },

    /**
     * Notes that a passkey has signed a challenge: each one once, and with a higher count than before,
     * unless its authenticator does not count. @returns false if it was not the first to do so.
     */
    async recordUse({ credentialId, signCount, challengedAt, now }: PasskeyUse): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update passkey
        set sign_count = ${signCount}, challenged_at = ${challengedAt}, last_used_at = ${now}
        where credential_id = ${credentialId}
          and (challenged_at is null or challenged_at < ${challengedAt})
          and (sign_count < ${signCount} or (sign_count = 0 and ${signCount} = 0))`.execute(db);
      return numAffectedRows === 1n;
    },

    async rename(userId: UserId, passkeyId: string, name: string): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('passkey')
        .set({ name })
        .where('id', '=', passkeyId)
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    async delete(userId: UserId, passkeyId: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('passkey')
        .where('id', '=', passkeyId)
        .where('user_id', '=', userId)
        .executeTakeFirstOrThrow();
      return numDeletedRows === 1n;
    },
  };
}

export type PasskeysRepository = ReturnType<typeof createPasskeysRepository>;
