import type { AutomaticRule, RoomId, SanctionKind, UserId } from '@mogakgong/contract';
import type { Generated } from 'kysely';

export type SanctionsTables = {
  sanction: {
    id: Generated<number>;
    /** Null once the account is deleted. */
    user_id: UserId | null;
    /** Hash of the e-mail of the deleted account that it was imposed on. */
    email_hash: Buffer | null;
    kind: SanctionKind;
    /** The rule of an automatic sanction; null if a moderator decided. */
    rule: AutomaticRule | null;
    reason: string;
    case_id: number | null;
    room_id: RoomId | null;
    decided_by: UserId | null;
    imposed_at: Date;
    /** Null for one without end. */
    ends_at: Date | null;
    lifted_at: Date | null;
    lifted_by: UserId | null;
    acknowledged_at: Date | null;
    appeal_text: string | null;
    appealed_at: Date | null;
    appeal_answer: string | null;
    appeal_outcome: 'upheld' | 'lifted' | null;
    appeal_answered_at: Date | null;
    appeal_answered_by: UserId | null;
    /** Set by every statement that changes its meaning or text. */
    changed_at: Date;
  };
};
