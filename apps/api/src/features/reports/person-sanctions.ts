import type { CaseId, PersonSanction } from '@mogakgong/contract';
import type { StoredSanction } from '../sanctions/index.ts';

/** A sanction as moderators see it. */
export function toPersonSanction(row: StoredSanction): PersonSanction {
  return {
    sanctionId: row.id,
    kind: row.kind,
    rule: row.rule,
    reason: row.reason,
    caseId: row.case_id as CaseId | null,
    imposedAtMs: row.imposed_at.getTime(),
    endsAtMs: row.ends_at?.getTime() ?? null,
    liftedAtMs: row.lifted_at?.getTime() ?? null,
    appeal: row.appealed_at && {
      text: row.appeal_text ?? '',
      atMs: row.appealed_at.getTime(),
      outcome: row.appeal_outcome,
      answer: row.appeal_answer,
    },
  };
}
