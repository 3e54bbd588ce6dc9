import type { UserId } from '@mogakgong/contract';

export type BlocksTables = {
  block: {
    blocker_id: UserId;
    blocked_id: UserId;
    created_at: Date;
    /** Whether the blocker had met them when they blocked them. */
    has_met: boolean;
  };
};
