import type { UserId } from '@mogakgong/contract';

/** Another learner, as the one who looks knows them; without a name where a block keeps it from them. */
export interface Person {
  readonly userId: UserId;
  readonly name: string;
}
