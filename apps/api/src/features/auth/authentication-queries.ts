import { RECENT_LOGIN_SECONDS } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import { isOpenLogIn } from './session-end-queries.ts';

/** The queries of a repository on when the owner of a log-in last proved their identity. */
export function createAuthenticationQueries(db: Database) {
  return {
    /** Whether the owner of a log-in has authenticated at a time or after it. */
    async isAuthenticatedSince({ userId, sessionId }: Caller, since: Date): Promise<boolean> {
      const { rows } = await sql`
        select from login_session
        where id = ${sessionId} and user_id = ${userId} and authenticated_at >= ${since}`.execute(
        db,
      );
      return rows.length > 0;
    },

    /** The owner of a log-in has authenticated again. @returns false for one that is over. */
    async recordAuthentication({ userId, sessionId }: Caller, now: Date): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update login_session set authenticated_at = ${now}
        where id = ${sessionId} and user_id = ${userId} and ${isOpenLogIn(now)}`.execute(db);
      return numAffectedRows === 1n;
    },

    /** Makes the log-ins of a learner but one too old to count as recent. */
    async outdateOthers({ userId, sessionId }: Caller, now: Date): Promise<void> {
      const tooOld = new Date(now.getTime() - (RECENT_LOGIN_SECONDS + 1) * 1_000);
      await sql`
        update login_session set authenticated_at = ${tooOld}
        where user_id = ${userId} and id <> ${sessionId} and authenticated_at > ${tooOld}`.execute(
        db,
      );
    },
  };
}
