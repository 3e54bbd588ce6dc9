import { LOGIN_MAX_SECONDS, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { lockLearner } from '../users/index.ts';
import { createAuthenticationQueries } from './authentication-queries.ts';
import { createEmailChangeQueries } from './email-change-queries.ts';
import { createKnownBrowserQueries } from './known-browsers.ts';
import { createPasswordQueries } from './password-queries.ts';
import { createSessionEndQueries, isOpenLogIn, LOGIN_SESSIONS_MAX } from './session-end-queries.ts';

interface NewSession {
  readonly sessionId: string;
  readonly userId: UserId;
  /** Of the password that was checked; null for other ways to log in. */
  readonly passwordVersion: string | null;
  readonly userAgent: string;
  readonly tokenHash: Buffer;
  readonly now: Date;
  readonly expiresAt: Date;
}

interface Rotation {
  readonly sessionId: string;
  readonly oldHash: Buffer;
  readonly newHash: Buffer;
  readonly now: Date;
  /** When the log-in ends unless it is used again; its absolute limit may come earlier. */
  readonly expiresAt: Date;
}

/** A log-in that has not ended. */
interface OpenSession {
  readonly sessionId: string;
  readonly userAgent: string;
  readonly createdAt: Date;
  /** When it began, or its refresh token was exchanged last. */
  readonly lastUsedAt: Date;
}

/** The only queries on log-ins and their refresh tokens. */
export function createAuthRepository(db: Database) {
  return {
    /** @returns false if the password has changed since it was checked. */
    async insertSession(session: NewSession): Promise<boolean> {
      const { userId, passwordVersion, now } = session;
      const { numAffectedRows } = await sql`
        insert into login_session (id, user_id, user_agent, created_at, last_used_at,
                                   authenticated_at, token_hash, expires_at)
        select ${session.sessionId}::uuid, user_id, ${session.userAgent}, ${now}::timestamptz, ${now},
               ${now}, ${session.tokenHash}::bytea, ${session.expiresAt}::timestamptz
        from (${lockLearner(sql`${userId}`, passwordVersion, 'share')}) as learner`.execute(db);
      return numAffectedRows === 1n;
    },

    /**
     * Exchanges the latest refresh token of a log-in for a new one, or repeats the exchange of the one
     * before, whose answer may have been lost.
     * @returns the owner of the log-in; null when the token is neither of the two, or the log-in is over.
     */
    async rotate(rotation: Rotation): Promise<UserId | null> {
      const { sessionId, oldHash, newHash, now, expiresAt } = rotation;
      const { rows } = await sql<{ userId: UserId | null }>`
        update login_session
        set token_hash = ${newHash}, previous_hash = ${oldHash},
            last_used_at = greatest(${now}::timestamptz, last_used_at),
            expires_at = least(${expiresAt}, created_at + make_interval(secs => ${LOGIN_MAX_SECONDS}))
        where id = ${sessionId} and ${isOpenLogIn(now)}
          and (token_hash = ${oldHash} or previous_hash = ${oldHash})
        returning user_id as "userId"`.execute(db);
      return rows[0]?.userId ?? null;
    },

    /** The log-ins of a learner that have not ended, the one that was used last first. */
    async findSessions(userId: UserId, now: Date) {
      const { rows } = await sql<OpenSession>`
        select id as "sessionId", user_agent as "userAgent", created_at as "createdAt",
               last_used_at as "lastUsedAt"
        from login_session where user_id = ${userId} and ${isOpenLogIn(now)}
        order by last_used_at desc limit ${LOGIN_SESSIONS_MAX}`.execute(db);
      return rows;
    },

    ...createAuthenticationQueries(db),
    ...createSessionEndQueries(db),
    ...createKnownBrowserQueries(db),
    ...createPasswordQueries(db),
    ...createEmailChangeQueries(db),
  };
}

export type AuthRepository = ReturnType<typeof createAuthRepository>;
