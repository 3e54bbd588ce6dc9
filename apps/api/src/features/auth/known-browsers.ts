import { randomBytes } from 'node:crypto';
import type { UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { KnownBrowser } from '../../platform/http/index.ts';
import { hashToken } from './refresh-tokens.ts';

const BROWSER_TOKEN_BYTES = 16;

/** For the cookie of a browser that has none yet. */
export function newBrowserToken(): string {
  return randomBytes(BROWSER_TOKEN_BYTES).toString('base64url');
}

interface BrowserUse {
  readonly userId: UserId;
  /** Of the cookie that it keeps. */
  readonly tokenHash: Buffer;
  readonly now: Date;
}

/** SQL that remembers the browser of a learner. @returns one row: whether it `is_first`, seen first now. */
export const storeBrowser = ({ userId, tokenHash, now }: BrowserUse): RawBuilder<unknown> => sql`
  insert into known_browser (user_id, token_hash, last_used_at)
  values (${userId}, ${tokenHash}, ${now})
  on conflict (user_id, token_hash) do update set last_used_at = excluded.last_used_at
  returning xmax = 0 as is_first`;

/** The queries of a repository on the browsers from which learners have logged in. */
export function createKnownBrowserQueries(db: Database) {
  return {
    /**
     * Remembers the browser of a log-in.
     * @param sessionId the log-in that it just began.
     * @returns whether it is a new one for an account that has been logged in to before.
     */
    async recordBrowser({
      sessionId,
      ...use
    }: BrowserUse & { sessionId: string }): Promise<boolean> {
      const { userId } = use;
      const { rows } = await sql<{ isNew: boolean }>`
        with recorded as (${storeBrowser(use)})
        select is_first and (
          exists (select from known_browser where user_id = ${userId})
          or exists (select from login_session where user_id = ${userId} and id <> ${sessionId})
        ) as "isNew" from recorded`.execute(db);
      return rows[0]?.isNew ?? false;
    },

    /**
     * The browser of a request, where the account was used in it before; else null.
     * @param account its id or e-mail address: one query, whether there is such an account or not.
     * @param browserToken of the cookie that it keeps.
     */
    async findKnownBrowser(
      account: UserId | string,
      browserToken: string | null,
    ): Promise<KnownBrowser | null> {
      if (browserToken === null) return null;
      const tokenHash = hashToken(browserToken);
      const whose =
        typeof account === 'string'
          ? sql`(select user_id from account_email where lower(email) = lower(${account.trim()}))`
          : sql`${account}`;
      const { rows } = await sql<{ user_id: UserId }>`
        select user_id from known_browser where token_hash = ${tokenHash} and user_id = ${whose}`.execute(
        db,
      );
      const [row] = rows;
      return row ? { userId: row.user_id, id: tokenHash.toString('hex') } : null;
    },
  };
}
