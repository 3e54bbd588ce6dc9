import type { ReportId, UserId } from '@mogakgong/contract';
import type { Generated } from 'kysely';

/** A chat message in the evidence of a report, as it was then. */
export interface EvidenceMessage {
  readonly senderId: UserId;
  readonly nickname: string;
  readonly content: string;
  /** ISO 8601. */
  readonly sentAt: string;
  /** In its room; reports from before replies have none. */
  readonly number?: number;
  /** The number of the message that it answers. */
  readonly quotedNumber?: number;
}

/** A learner present in the room, in the evidence of a report. */
export interface EvidenceStatus {
  readonly userId: UserId;
  readonly nickname: string;
  readonly status: 'idle' | 'focus' | 'pause' | 'away';
  /** Since when, and when they left, if so: ISO 8601. */
  readonly since: string;
  readonly leftAt: string | null;
  /** On the tile of the reported learner, if they showed it. */
  readonly subject?: string;
}

/** The decision that finds no violation; every other one is the kind of a sanction. */
export const DISMISS = 'dismiss';

export type ReportsTables = {
  report_case: {
    id: Generated<number>;
    reported_id: UserId;
    status: Generated<'open' | 'claimed' | 'decided'>;
    opened_at: Date;
    last_report_at: Date;
    claimed_by: UserId | null;
    claimed_at: Date | null;
    decided_by: UserId | null;
    decided_at: Date | null;
    decision: string | null;
    decision_reason: string | null;
  };
  report_still: {
    report_id: ReportId;
    image: Buffer;
    taken_at: Date;
  };
};
