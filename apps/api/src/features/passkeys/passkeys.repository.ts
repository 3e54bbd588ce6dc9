import { randomUUID } from 'node:crypto';
import { PASSKEYS_MAX, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { storeWhileLoggedIn } from '../users/index.ts';

interface StoredPasskey {
  readonly credentialId: string;
  readonly publicKey: Buffer;
  readonly signCount: number;
  readonly transports: readonly string[];
  readonly name: string;
  readonly now: Date;
}

interface OwnPasskey {
  readonly passkeyId: string;
  readonly credentialId: string;
  readonly transports: string[];
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** A key that checks the signatures of a passkey. */
export interface StoredKey {
  readonly userId: UserId;
  readonly publicKey: Buffer;
  readonly signCount: number;
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
export function createPasskeysRepository(db: Database) {
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
      const { rows } = await sql<OwnPasskey>`
        select id as "passkeyId", credential_id as "credentialId", transports, name,
               created_at as "createdAt", last_used_at as "lastUsedAt"
        from passkey where user_id = ${userId} order by created_at`.execute(db);
      return rows;
    },

    async findByCredential(credentialId: string): Promise<StoredKey | undefined> {
      const { rows } = await sql<StoredKey>`
        select user_id as "userId", public_key as "publicKey", sign_count as "signCount"
        from passkey where credential_id = ${credentialId}`.execute(db);
      return rows[0];
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
      const { numAffectedRows } = await sql`
        update passkey set name = ${name}
        where id = ${passkeyId} and user_id = ${userId}`.execute(db);
      return numAffectedRows === 1n;
    },

    async delete(userId: UserId, passkeyId: string): Promise<boolean> {
      const { numAffectedRows } = await sql`
        delete from passkey where id = ${passkeyId} and user_id = ${userId}`.execute(db);
      return numAffectedRows === 1n;
    },
  };
}
