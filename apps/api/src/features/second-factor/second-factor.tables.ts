import type { UserId } from '@mogakgong/contract';
import type { Generated } from 'kysely';

export type SecondFactorTables = {
  second_factor: {
    user_id: UserId;
    sealed_secret: Buffer;
    /** Null until a first code was right. */
    confirmed_at: Date | null;
    last_step: Generated<number>;
    recovery_hashes: Generated<Buffer[]>;
  };
};
