import type { UserId } from '@mogakgong/contract';
import type { Generated } from 'kysely';

export type AuditTables = {
  audit_event: {
    id: Generated<number>;
    at: Generated<Date>;
    actor_id: UserId | null;
    action: string;
    subject_id: UserId | null;
    case_id: number | null;
    sanction_id: number | null;
    details: Record<string, string | number>;
  };
};
