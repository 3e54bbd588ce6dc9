import type { AutomaticRule, RoomId, SanctionKind, UserId } from '@mogakgong/contract';
import { HOUR_MS } from '@mogakgong/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { recordAudit } from '../audit/index.ts';
import { lockLearner } from '../users/index.ts';
import { isInForce } from './in-force-queries.ts';
import type { SanctionsTables } from './sanctions.tables.ts';

/** Whether the account still exists. */
const isOwned = sql<boolean>`user_id is not null`;
const ownerOf = sql<UserId>`user_id`.as('userId');

interface NewSanction {
  readonly userId: UserId;
  readonly kind: SanctionKind;
  readonly rule: AutomaticRule | null;
  readonly reason: string;
  readonly caseId: number | null;
  readonly roomId: RoomId | null;
  readonly decidedBy: UserId | null;
  readonly now: Date;
  readonly endsAt: Date | null;
}

/** A moderator's answer to an appeal. */
export interface AppealAnswer {
  readonly sanctionId: number;
  readonly outcome: 'upheld' | 'lifted';
  readonly answer: string;
  readonly by: UserId;
}

/** Whether the same automatic sanction is already in force; two processes may decide at once. */
async function holdsByRule(db: Kysely<SanctionsTables>, { userId, rule, now }: NewSanction) {
  await lockLearner(sql`${userId}`, null, 'no key update').execute(db);
  const found = await db
    .selectFrom('sanction')
    .select('id')
    .where('user_id', '=', userId)
    .where('rule', '=', rule)
    .where(isInForce(now))
    .executeTakeFirst();
  return found !== undefined;
}

/** The case in the details of an audit event, if a sanction belongs to one. */
const ofCase = (caseId: number | null) => (caseId === null ? {} : { caseId });

/** Stores a sanction; undefined if the same automatic sanction is already in force. */
export async function insertSanction(database: Database, sanction: NewSanction) {
  const db = database.withTables<SanctionsTables>();
  const { userId, kind, rule, caseId, decidedBy, now, endsAt } = sanction;
  if (rule !== null && (await holdsByRule(db, sanction))) return undefined;
  const { id } = await db
    .insertInto('sanction')
    .values({
      user_id: userId,
      kind,
      rule,
      reason: sanction.reason,
      case_id: caseId,
      room_id: sanction.roomId,
      decided_by: decidedBy,
      imposed_at: now,
      ends_at: endsAt,
      changed_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordAudit(db, {
    action: 'sanctionImposed',
    actorId: decidedBy,
    subjectId: userId,
    sanctionId: id,
    ...ofCase(caseId),
    details: {
      kind,
      ...(rule !== null && { rule }),
      ...(endsAt !== null && { hours: (endsAt.getTime() - now.getTime()) / HOUR_MS }),
    },
  });
  return { id, userId };
}

/** @returns the owner; undefined if it is not in force now. */
export async function liftSanction(
  database: Database,
  sanctionId: number,
  by: UserId | null,
  now: Date,
) {
  const db = database.withTables<SanctionsTables>();
  const lifted = await db
    .updateTable('sanction')
    .set({ lifted_at: now, lifted_by: by, acknowledged_at: null, changed_at: now })
    .where('id', '=', sanctionId)
    .where(isInForce(now))
    .where(isOwned)
    .returning([ownerOf, 'case_id as caseId'])
    .executeTakeFirst();
  if (!lifted) return undefined;
  const { userId, caseId } = lifted;
  const about = { subjectId: userId, sanctionId, ...ofCase(caseId) };
  await recordAudit(db, { action: 'sanctionLifted', actorId: by, ...about });
  return { userId };
}

/** A case that a moderator decides. */
export interface DecidedCase {
  readonly caseId: number;
  /** The person that it is about. */
  readonly userId: UserId;
  readonly by: UserId;
}

/** Ends the automatic sanctions of a case. */
export async function liftAutomatic(
  database: Database,
  { caseId, userId, by }: DecidedCase,
  now: Date,
): Promise<void> {
  const imposed = await database
    .withTables<SanctionsTables>()
    .selectFrom('sanction')
    .select('id')
    .where('user_id', '=', userId)
    .where('case_id', '=', caseId)
    .where('rule', 'is not', null)
    .where(isInForce(now))
    .execute();
  for (const { id } of imposed) await liftSanction(database, id, by, now);
}

/** @returns the owner; undefined if no appeal waits for an answer. */
export async function answerAppeal(
  database: Database,
  { sanctionId, outcome, answer, by }: AppealAnswer,
  now: Date,
) {
  const db = database.withTables<SanctionsTables>();
  const answered = await db
    .updateTable('sanction')
    .set({
      appeal_answer: answer,
      appeal_outcome: outcome,
      appeal_answered_at: now,
      appeal_answered_by: by,
      acknowledged_at: null,
      changed_at: now,
      ...(outcome === 'lifted' && {
        lifted_at: sql<Date>`coalesce(lifted_at, ${now})`,
        lifted_by: sql<UserId>`coalesce(lifted_by, ${by})`,
      }),
    })
    .where('id', '=', sanctionId)
    .where('appealed_at', 'is not', null)
    .where('appeal_answered_at', 'is', null)
    .where(isOwned)
    .returning([ownerOf, 'case_id as caseId'])
    .executeTakeFirst();
  if (!answered) return undefined;
  const { userId, caseId } = answered;
  const about = { subjectId: userId, sanctionId, ...ofCase(caseId) };
  await recordAudit(db, { action: 'appealAnswered', actorId: by, ...about, details: { outcome } });
  return { userId };
}

/** @returns whether the learner has such a sanction without an appeal. */
export async function storeAppeal(
  database: Database,
  { userId, sanctionId, text }: { userId: UserId; sanctionId: number; text: string },
  now: Date,
): Promise<boolean> {
  const db = database.withTables<SanctionsTables>();
  const appealed = await db
    .updateTable('sanction')
    .set({ appeal_text: text, appealed_at: now })
    .where('id', '=', sanctionId)
    .where('user_id', '=', userId)
    .where('appealed_at', 'is', null)
    .returning('case_id as caseId')
    .executeTakeFirst();
  if (!appealed) return false;
  const about = { subjectId: userId, sanctionId, ...ofCase(appealed.caseId) };
  await recordAudit(db, { action: 'sanctionAppealed', actorId: userId, ...about });
  return true;
}
