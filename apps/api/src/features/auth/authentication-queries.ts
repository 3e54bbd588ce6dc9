import { RECENT_LOGIN_SECONDS } from '@mogakgong/contract';
import type { Kysely } from 'kysely';
import type { Caller } from '../../platform/http/index.ts';
import type { AuthTables } from './auth.tables.ts';
import { isOpenLogIn } from './session-end-queries.ts';

/** The queries of a repository on when the owner of a log-in last proved their identity. */
export function createAuthenticationQueries(db: Kysely<AuthTables>) {
  return {
    /** Whether the owner of a log-in has authenticated at a time or after it. */
    async isAuthenticatedSince({ userId, sessionId }: Caller, since: Date): Promise<boolean> {
      const row = await db
        .selectFrom('login_session')
        .select('id')
        .where('id', '=', sessionId)
        .where('user_id', '=', userId)
        .where('authenticated_at', '>=', since)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The owner of a log-in has authenticated again. @returns false for one that is over. */
    async recordAuthentication({ userId, sessionId }: Caller, now: Date): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('login_session')
        .set({ authenticated_at: now })
        .where('id', '=', sessionId)
        .where('user_id', '=', userId)
        .where(isOpenLogIn(now))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },

    /** Makes the log-ins of a learner but one too old to count as recent. */
    async outdateOthers({ userId, sessionId }: Caller, now: Date): Promise<void> {
      const tooOld = new Date(now.getTime() - (RECENT_LOGIN_SECONDS + 1) * 1_000);
      await db
        .updateTable('login_session')
        .set({ authenticated_at: tooOld })
        .where('user_id', '=', userId)
        .where('id', '<>', sessionId)
        .where('authenticated_at', '>', tooOld)
        .execute();
    },
  };
}
