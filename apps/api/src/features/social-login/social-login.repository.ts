import type { SocialProvider, UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { storeWhileLoggedIn } from '../users/index.ts';

/** A person's identity at a provider; never the e-mail, which people change and give back. */
export interface SocialIdentity {
  readonly provider: SocialProvider;
  readonly realm: string;
  readonly subject: string;
  /** Shown to its owner only. */
  readonly email: string | null;
}

/** A part of the WITH clause that stores a new `learner` (id): the identity by which they log in. */
export function identityOfLearner(identity: SocialIdentity, now: Date): RawBuilder<unknown> {
  const { provider, realm, subject, email } = identity;
  return sql`, identity as (
    insert into social_identity (provider, realm, subject, user_id, email, linked_at)
    select ${provider}, ${realm}, ${subject}, learner.id, ${email}, ${now} from learner
  )`;
}

/**
 * A part of a WITH clause that unlinks every identity of the learner in `first_proof` (user_id): until
 * then, somebody else may have made the account with their e-mail, and linked a log-in of their own.
 */
export const unlinkBeforeProof = sql`
  unlinked as (
    delete from social_identity using first_proof
    where social_identity.user_id = first_proof.user_id
  )`;

/** The only queries on social identities. */
export function createSocialLoginRepository(db: Database) {
  async function findUser(identity: SocialIdentity): Promise<UserId | null> {
    const { provider, realm, subject } = identity;
    const { rows } = await sql<{ userId: UserId }>`
      select user_id as "userId" from social_identity
      where provider = ${provider} and realm = ${realm} and subject = ${subject}`.execute(db);
    return rows[0]?.userId ?? null;
  }

  return {
    findUser,

    /** The learner with this e-mail, if proven. */
    async findProvenOwner(email: string): Promise<UserId | null> {
      const { rows } = await sql<{ userId: UserId }>`
        select user_id as "userId" from account_email
        where lower(email) = lower(${email}) and verified_email = email`.execute(db);
      return rows[0]?.userId ?? null;
    },

    /**
     * Links an identity to a learner, unless somebody has it, they have another of its provider, or
     * the log-in that asked has ended.
     * @returns the owner, null if there is none, and whether it was linked just now.
     */
    async link(
      caller: Caller,
      identity: SocialIdentity,
      now: Date,
    ): Promise<{ owner: UserId | null; isNew: boolean }> {
      const { provider, realm, subject, email } = identity;
      const isNew = await storeWhileLoggedIn(
        db,
        caller,
        (logIn) => sql`
          insert into social_identity (provider, realm, subject, user_id, email, linked_at)
          select ${provider}, ${realm}, ${subject}, user_id, ${email}::text, ${now}::timestamptz
          from ${logIn}
          on conflict do nothing`,
      );
      return { owner: await findUser(identity), isNew };
    },

    async findIdentities(userId: UserId) {
      const { rows } = await sql<Pick<SocialIdentity, 'provider' | 'email'>>`
        select provider, email from social_identity
        where user_id = ${userId} order by linked_at`.execute(db);
      return rows;
    },

    /**
     * Unlinks an identity, unless `keepLast` and it is the last one of the learner. The lock makes two
     * that unlink one each wait for each other: the second does not count what the first deleted.
     * @returns whether it was unlinked.
     */
    async unlink(userId: UserId, provider: SocialProvider, keepLast: boolean): Promise<boolean> {
      const { numAffectedRows } = await sql`
        with own as materialized (
          select provider from social_identity
          where user_id = ${userId} order by provider for update
        )
        delete from social_identity
        where user_id = ${userId} and provider = ${provider}
          and (not ${keepLast}::boolean or (select count(*) from own) > 1)`.execute(db);
      return numAffectedRows === 1n;
    },
  };
}

export type SocialLoginRepository = ReturnType<typeof createSocialLoginRepository>;
