import type { UserId } from '@mogakgong/contract';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { deleteInSlices } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/index.ts';
import type { AuthTables } from './auth.tables.ts';

/** The queries of a repository that end log-ins, and say which have ended. */
export function createSessionEndQueries(db: Kysely<AuthTables>) {
  async function end(which: RawBuilder<boolean>, now: Date): Promise<string[]> {
    const rows = await db
      .updateTable('login_session')
      .set({ ended_at: now })
      .where(which)
      .where('ended_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  return {
    /** Ends one log-in. @returns it, unless it had ended. */
    endSession: (sessionId: string, now: Date) => end(sql`id = ${sessionId}`, now),

    /** Ends one log-in of a learner. @returns it, unless it had ended. */
    endOwnSession: ({ userId, sessionId }: Caller, now: Date) =>
      end(sql`user_id = ${userId} and id = ${sessionId}`, now),

    /** Ends every log-in of a learner but one. @returns those that had not ended. */
    endOtherSessions: ({ userId, sessionId }: Caller, now: Date) =>
      end(sql`user_id = ${userId} and id <> ${sessionId}`, now),

    /** Ends every log-in of a learner. @returns those that had not ended. */
    endSessionsOf: (userId: UserId, now: Date) => end(sql`user_id = ${userId}`, now),

    async findSessionsEndedSince(since: Date) {
      return db
        .selectFrom('login_session')
        .select(['id', 'ended_at'])
        .where('ended_at', '>=', since)
        .orderBy('ended_at')
        .execute();
    },

    deleteExpired: (now: Date) => deleteInSlices(db, 'login_session', sql`expires_at <= ${now}`),
  };
}
