import type { UserId } from '@mogakgong/contract';

export type BlocksTables = {
  block: {
    blocker_id: UserId;
    blocked_id: UserId;
    created_at: Date;
    /** Whether the two had met when the block was made. */
    has_met: boolean;
  };
};
