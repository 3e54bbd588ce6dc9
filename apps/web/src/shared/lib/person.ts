import type { UserId } from '@mogakgong/contract';

/** Another learner as the viewer knows them; without a name where a block hides it. */
export interface Person {
  readonly userId: UserId;
  readonly name: string;
}
