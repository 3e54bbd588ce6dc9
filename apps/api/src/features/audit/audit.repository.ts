import { AUDIT_KEPT_YEARS, AUDIT_PAGE, type AuditAction, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import { type Database, deleteInSlices } from '../../platform/database/index.ts';

/** A new event; ids that do not apply are left out. */
interface NewAuditEvent {
  readonly action: AuditAction;
  /** The acting account; null for the product itself, or the operator on its host. */
  readonly actorId: UserId | null;
  readonly subjectId?: UserId;
  readonly caseId?: number;
  readonly sanctionId?: number;
  /** Words and figures of the product, no user text. */
  readonly details?: Readonly<Record<string, string | number>>;
}

/** Adds an event, in the transaction of the recorded action: both are stored, or neither. */
export async function recordAudit(db: Database, event: NewAuditEvent): Promise<void> {
  const { action, actorId, subjectId, caseId, sanctionId, details = {} } = event;
  await sql`
    insert into audit_event (action, actor_id, subject_id, case_id, sanction_id, details)
    values (${action}, ${actorId}, ${subjectId ?? null}, ${caseId ?? null}, ${sanctionId ?? null},
            ${JSON.stringify(details)}::jsonb)`.execute(db);
}

/** Filter for events; all given conditions must hold. */
export interface AuditFilter {
  readonly before?: number | undefined;
  readonly action?: AuditAction | undefined;
  readonly actorId?: UserId | undefined;
  readonly subjectId?: UserId | undefined;
}

interface AuditRow {
  readonly id: number;
  readonly at: Date;
  readonly actorId: UserId | null;
  readonly action: AuditAction;
  readonly subjectId: UserId | null;
  readonly caseId: number | null;
  readonly sanctionId: number | null;
  readonly details: Record<string, string | number>;
}

/** The queries on the audit log, beside `recordAudit`. */
export function createAuditRepository(db: Database) {
  return {
    /** The newest matching events: one page and the first of the next. */
    async find({ before, action, actorId, subjectId }: AuditFilter): Promise<AuditRow[]> {
      const { rows } = await sql<AuditRow>`
        select id, at, actor_id as "actorId", action, subject_id as "subjectId",
               case_id as "caseId", sanction_id as "sanctionId", details
        from audit_event
        where ${before === undefined ? sql`true` : sql`id < ${before}`}
          ${action === undefined ? sql`` : sql`and action = ${action}`}
          ${actorId === undefined ? sql`` : sql`and actor_id = ${actorId}`}
          ${subjectId === undefined ? sql`` : sql`and subject_id = ${subjectId}`}
        order by id desc limit ${AUDIT_PAGE + 1}`.execute(db);
      return rows;
    },

    /** Deletes expired events, by the database's clock, like its trigger. */
    deleteOld: () =>
      deleteInSlices(db, 'audit_event', sql`at < now() - ${AUDIT_KEPT_YEARS} * interval '1 year'`),
  };
}
