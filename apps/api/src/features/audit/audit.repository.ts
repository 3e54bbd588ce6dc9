import { AUDIT_KEPT_YEARS, AUDIT_PAGE, type AuditAction, type UserId } from '@mogakgong/contract';
import { type QueryExecutorProvider, sql } from 'kysely';
import { type Database, deleteInSlices } from '../../platform/database/index.ts';
import type { AuditTables } from './audit.tables.ts';

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
export async function recordAudit(db: QueryExecutorProvider, event: NewAuditEvent): Promise<void> {
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

/** The queries on the audit log, beside `recordAudit`. */
export function createAuditRepository(database: Database) {
  const db = database.withTables<AuditTables>();
  return {
    /** The newest matching events: one page and the first of the next. */
    async find({ before, action, actorId, subjectId }: AuditFilter) {
      return db
        .selectFrom('audit_event')
        .selectAll()
        .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
        .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
        .$if(actorId !== undefined, (query) => query.where('actor_id', '=', actorId ?? null))
        .$if(subjectId !== undefined, (query) => query.where('subject_id', '=', subjectId ?? null))
        .orderBy('id', 'desc')
        .limit(AUDIT_PAGE + 1)
        .execute();
    },

    /** Deletes expired events, by the database's clock, like its trigger. */
    deleteOld: () =>
      deleteInSlices(db, 'audit_event', sql`at < now() - ${AUDIT_KEPT_YEARS} * interval '1 year'`),
  };
}
