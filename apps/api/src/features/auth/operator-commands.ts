import { PASSWORD_RESET_SECONDS, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { recordAudit } from '../audit/index.ts';
import { createAuthRepository } from './auth.repository.ts';
import { newMailedLink } from './mailed-links.ts';

interface ResetLinkOptions {
  readonly owner: { readonly userId: UserId; readonly email: string };
  /** The address of the site. */
  readonly siteUrl: string;
  readonly now: Date;
}

/**
 * A link with which the owner of an account sets a new password, for the operator to hand over where no
 * mail arrives; recorded in the audit log. It works once, like one that is mailed.
 */
export function issueResetLink(
  database: Database,
  { owner, siteUrl, now }: ResetLinkOptions,
): Promise<string> {
  const { tokenHash, link } = newMailedLink(siteUrl, '/password-reset');
  const expiresAt = new Date(now.getTime() + PASSWORD_RESET_SECONDS * 1_000);
  return database.transaction().execute(async (transaction) => {
    await createAuthRepository(transaction).insertReset(owner.email, tokenHash, expiresAt);
    const event = { actorId: null, subjectId: owner.userId, details: { by: 'host' } };
    await recordAudit(transaction, { action: 'passwordResetIssued', ...event });
    return link;
  });
}

/** Ends every log-in of an account, for the operator; every process learns it within three seconds. */
export function endLogInsOf(database: Database, userId: UserId, now: Date): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    const ended = await createAuthRepository(transaction).endSessions({ userId }, now);
    const details = { by: 'host', count: ended.length };
    await recordAudit(transaction, {
      action: 'logInsEnded',
      actorId: null,
      subjectId: userId,
      details,
    });
    return ended.length;
  });
}

/**
 * Ends every log-in of the site, and every mailed link, in a database that was restored: some had ended after the backup
 * was made.
 */
export async function endAllLogIns(database: Database): Promise<void> {
  await sql`
    update login_session set ended_at = greatest(clock_timestamp(), last_used_at)
    where ended_at is null`.execute(database);
  await sql`delete from password_reset`.execute(database);
  await sql`delete from email_change`.execute(database);
}
