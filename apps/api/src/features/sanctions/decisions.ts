import type { UserId } from '@mogakgong/contract';
import { HOUR_MS } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { recordAudit } from '../audit/index.ts';
import { lockLearner } from '../users/index.ts';
import { isInForce } from './in-force-queries.ts';
import type { StoredSanction } from './sanctions.repository.ts';

type Imposed = 'kind' | 'rule' | 'reason' | 'caseId' | 'roomId' | 'decidedBy' | 'endsAt';

interface NewSanction extends Pick<StoredSanction, Imposed> {
  readonly userId: UserId;
  readonly now: Date;
}

/** A sanction of an account that still exists. */
interface OwnedSanction {
  readonly userId: UserId;
  readonly caseId: number | null;
}

/** A moderator's answer to an appeal. */
export interface AppealAnswer {
  readonly sanctionId: number;
  readonly outcome: 'upheld' | 'lifted';
  readonly answer: string;
  readonly by: UserId;
}

/** Whether the same automatic sanction is already in force; two processes may decide at once. */
async function holdsByRule(db: Database, { userId, rule, now }: NewSanction) {
  await lockLearner(sql`${userId}`, null, 'no key update').execute(db);
  const { rows } = await sql`
    select from sanction
    where user_id = ${userId} and rule = ${rule} and ${isInForce(now)}`.execute(db);
  return rows.length > 0;
}

/** The case in the details of an audit event, if a sanction belongs to one. */
const ofCase = (caseId: number | null) => (caseId === null ? {} : { caseId });

/** Stores a sanction; undefined if the same automatic sanction is already in force. */
export async function insertSanction(db: Database, sanction: NewSanction) {
  const { userId, kind, rule, reason, caseId, roomId, decidedBy, now, endsAt } = sanction;
  if (rule !== null && (await holdsByRule(db, sanction))) return undefined;
  const { rows } = await sql<{ id: number }>`
    insert into sanction (user_id, kind, rule, reason, case_id, room_id, decided_by, imposed_at,
                          ends_at, changed_at)
    values (${userId}, ${kind}, ${rule}, ${reason}, ${caseId}, ${roomId}, ${decidedBy}, ${now},
            ${endsAt}, ${now})
    returning id`.execute(db);
  const [inserted] = rows;
  if (!inserted) throw new Error('an inserted sanction has no id');
  const { id } = inserted;
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
export async function liftSanction(db: Database, sanctionId: number, by: UserId | null, now: Date) {
  const { rows } = await sql<OwnedSanction>`
    update sanction
    set lifted_at = ${now}, lifted_by = ${by}, acknowledged_at = null, changed_at = ${now}
    where id = ${sanctionId} and ${isInForce(now)} and user_id is not null
    returning user_id as "userId", case_id as "caseId"`.execute(db);
  const [lifted] = rows;
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
  db: Database,
  { caseId, userId, by }: DecidedCase,
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from sanction
    where user_id = ${userId} and case_id = ${caseId} and rule is not null
      and ${isInForce(now)}`.execute(db);
  for (const { id } of rows) await liftSanction(db, id, by, now);
}

/** @returns the owner; undefined if no appeal waits for an answer. */
export async function answerAppeal(
  db: Database,
  { sanctionId, outcome, answer, by }: AppealAnswer,
  now: Date,
) {
  const lifted = sql`,
        lifted_at = coalesce(lifted_at, ${now}), lifted_by = coalesce(lifted_by, ${by})`;
  const { rows } = await sql<OwnedSanction>`
    update sanction
    set appeal_answer = ${answer}, appeal_outcome = ${outcome}, appeal_answered_at = ${now},
        appeal_answered_by = ${by}, acknowledged_at = null, changed_at = ${now}
        ${outcome === 'lifted' ? lifted : sql``}
    where id = ${sanctionId} and appealed_at is not null and appeal_answered_at is null
      and user_id is not null
    returning user_id as "userId", case_id as "caseId"`.execute(db);
  const [answered] = rows;
  if (!answered) return undefined;
  const { userId, caseId } = answered;
  const about = { subjectId: userId, sanctionId, ...ofCase(caseId) };
  await recordAudit(db, { action: 'appealAnswered', actorId: by, ...about, details: { outcome } });
  return { userId };
}

/** @returns whether the learner has such a sanction without an appeal. */
export async function storeAppeal(
  db: Database,
  { userId, sanctionId, text }: { userId: UserId; sanctionId: number; text: string },
  now: Date,
): Promise<boolean> {
  const { rows } = await sql<Pick<OwnedSanction, 'caseId'>>`
    update sanction set appeal_text = ${text}, appealed_at = ${now}
    where id = ${sanctionId} and user_id = ${userId} and appealed_at is null
    returning case_id as "caseId"`.execute(db);
  const [appealed] = rows;
  if (!appealed) return false;
  const about = { subjectId: userId, sanctionId, ...ofCase(appealed.caseId) };
  await recordAudit(db, { action: 'sanctionAppealed', actorId: userId, ...about });
  return true;
}
