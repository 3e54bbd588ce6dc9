import { KNOWN_BROWSER_SECONDS, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { type Database, deleteInSlices } from '../../platform/database/index.ts';

/** Log-ins of an account that have not ended. A further one ends the one that was not used for longest. */
export const LOGIN_SESSIONS_MAX = 100;

/** One log-in, or those of a learner: all, one of them, or all but one. */
export type EndingSessions = (
  | { readonly sessionId: string; readonly userId?: UserId }
  | { readonly userId: UserId; readonly sessionId?: undefined }
) & { readonly except?: string };

/** A condition on `login_session`: the log-in has neither ended nor expired. */
export const isOpenLogIn = (now: Date) => sql<boolean>`ended_at is null and expires_at > ${now}`;

/**
 * When a log-in ends: not before its last token was issued, by a clock that may have been ahead. Its tokens are
 * refused for 15 minutes from then.
 */
export const endOfLogIn = (now: Date) => sql<Date>`greatest(${now}::timestamptz, last_used_at)`;

/** The queries of a repository that end log-ins, say which have ended, and delete them later. */
export function createSessionEndQueries(db: Database) {
  return {
    /** @returns the log-ins that had not ended. */
    async endSessions({ sessionId, userId, except }: EndingSessions, now: Date): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        update login_session set ended_at = ${endOfLogIn(now)}
        where ${isOpenLogIn(now)}
          ${sessionId === undefined ? sql`` : sql`and id = ${sessionId}`}
          ${userId === undefined ? sql`` : sql`and user_id = ${userId}`}
          ${except === undefined ? sql`` : sql`and id <> ${except}`}
        returning id`.execute(db);
      return rows.map(({ id }) => id);
    },

    /** Ends those log-ins of a learner that are too many. @returns them. */
    async endSurplusSessions(userId: UserId, now: Date): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        update login_session set ended_at = ${endOfLogIn(now)}
        where id in (
          select id from login_session where user_id = ${userId} and ${isOpenLogIn(now)}
          order by last_used_at desc offset ${LOGIN_SESSIONS_MAX}
        )
        returning id`.execute(db);
      return rows.map(({ id }) => id);
    },

    async findSessionsEndedSince(since: Date) {
      const { rows } = await sql<{ sessionId: string; endedAt: Date }>`
        select id as "sessionId", ended_at as "endedAt" from login_session
        where ended_at >= ${since} order by ended_at`.execute(db);
      return rows;
    },

    /** Deletes what has ended or was not used for long. */
    async deleteExpired(now: Date): Promise<void> {
      for (const table of ['login_session', 'password_reset', 'email_change']) {
        await deleteInSlices(db, table, sql`expires_at <= ${now}`);
      }
      const oldestUse = new Date(now.getTime() - KNOWN_BROWSER_SECONDS * 1_000);
      await deleteInSlices(db, 'known_browser', sql`last_used_at < ${oldestUse}`);
    },
  };
}
