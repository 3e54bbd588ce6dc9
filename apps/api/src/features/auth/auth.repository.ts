import type { UserId } from '@mogakgong/contract';
import { sql, type Transaction } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { AuthTables } from './auth.tables.ts';

interface NewSession {
  readonly sessionId: string;
  readonly userId: UserId;
  readonly userAgent: string;
  readonly tokenHash: Buffer;
  readonly now: Date;
  readonly expiresAt: Date;
}

interface Rotation {
  readonly oldHash: Buffer;
  readonly newHash: Buffer;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** What became of a refresh token that was presented. */
export type RotationOutcome =
  | { readonly kind: 'rotated'; readonly sessionId: string; readonly userId: UserId }
  | { readonly kind: 'reused'; readonly sessionId: string }
  | { readonly kind: 'refused' };

/**
 * A token whose successor was never used may be exchanged again, because the answer that carried the
 * successor may have been lost; that successor is revoked. A token that comes back after its
 * successor was used, or after it was revoked, is held by two parties: `reused`.
 */
async function rotateToken(
  transaction: Transaction<AuthTables>,
  { oldHash, newHash, now, expiresAt }: Rotation,
): Promise<RotationOutcome> {
  const token = await transaction
    .selectFrom('refresh_token')
    .innerJoin('login_session', 'login_session.id', 'refresh_token.session_id')
    .select(['session_id', 'user_id', 'expires_at', 'used_at', 'revoked_at', 'ended_at'])
    .where('hash', '=', oldHash)
    .forUpdate()
    .executeTakeFirst();
  if (!token || token.ended_at || token.expires_at <= now) return { kind: 'refused' };

  const unusedSuccessors = await transaction
    .updateTable('refresh_token')
    .set({ revoked_at: now })
    .where('replaces', '=', oldHash)
    .where('revoked_at', 'is', null)
    .where('used_at', 'is', null)
    .returning('hash')
    .execute();
  const isSuccessorUsed = token.used_at !== null && unusedSuccessors.length === 0;
  if (token.revoked_at || isSuccessorUsed) return { kind: 'reused', sessionId: token.session_id };

  await transaction
    .updateTable('refresh_token')
    .set({ used_at: now })
    .where('hash', '=', oldHash)
    .execute();
  await transaction
    .insertInto('refresh_token')
    .values({
      hash: newHash,
      session_id: token.session_id,
      replaces: oldHash,
      issued_at: now,
      expires_at: expiresAt,
    })
    .execute();
  return { kind: 'rotated', sessionId: token.session_id, userId: token.user_id };
}

/** The only queries on log-ins and refresh tokens. */
export function createAuthRepository(database: Database) {
  const db = database.withTables<AuthTables>();

  async function endSession(sessionId: string, now: Date): Promise<void> {
    await db
      .updateTable('login_session')
      .set({ ended_at: now })
      .where('id', '=', sessionId)
      .where('ended_at', 'is', null)
      .execute();
  }

  return {
    endSession,

    async insertSession(session: NewSession): Promise<void> {
      await sql`
        with session as (
          insert into login_session (id, user_id, user_agent, created_at)
          values (${session.sessionId}, ${session.userId}, ${session.userAgent}, ${session.now})
          returning id
        )
        insert into refresh_token (hash, session_id, issued_at, expires_at)
        select ${session.tokenHash}, id, ${session.now}, ${session.expiresAt} from session`.execute(
        db,
      );
    },

    /** Exchanges a refresh token, at once or not at all. */
    async rotate(rotation: Rotation): Promise<RotationOutcome> {
      return db.transaction().execute((transaction) => rotateToken(transaction, rotation));
    },

    async findSessionOf(tokenHash: Buffer): Promise<string | null> {
      const row = await db
        .selectFrom('refresh_token')
        .select('session_id')
        .where('hash', '=', tokenHash)
        .executeTakeFirst();
      return row?.session_id ?? null;
    },

    async findSessionsEndedSince(since: Date) {
      return db
        .selectFrom('login_session')
        .select(['id', 'ended_at'])
        .where('ended_at', '>=', since)
        .orderBy('ended_at')
        .execute();
    },

    /** Forgets log-ins whose every token has expired. */
    async deleteExpired(now: Date): Promise<void> {
      await sql`
        delete from login_session
        where not exists (
          select from refresh_token where session_id = login_session.id and expires_at > ${now}
        )`.execute(db);
    },
  };
}

export type AuthRepository = ReturnType<typeof createAuthRepository>;
