import type { UserId } from '@mogakgong/contract';

/** The answers in a vote so far. */
export interface Ballots {
  readonly agreed: UserId[];
  readonly refused: UserId[];
}

/** The count of a vote. */
export interface Tally extends Ballots {
  /** Number of votes needed to pass: more than half of the seated learners. */
  readonly needed: number;
  /** `open` while the missing answers can still decide it. */
  readonly outcome: 'open' | 'passed' | 'refused';
}

/**
 * Counts a vote.
 * @param seated the learners seated now: the others count neither as a vote nor in the half.
 * @param isOver whether its time is over: an open vote is then refused.
 */
export function tally(ballots: Ballots, seated: ReadonlySet<UserId>, isOver: boolean): Tally {
  const agreed = ballots.agreed.filter((userId) => seated.has(userId));
  const refused = ballots.refused.filter((userId) => seated.has(userId));
  const needed = Math.floor(seated.size / 2) + 1;
  const isPassed = agreed.length >= needed;
  const isLost = isOver || seated.size - refused.length < needed;
  const open = isLost ? 'refused' : 'open';
  return { agreed, refused, needed, outcome: isPassed ? 'passed' : open };
}

/** The answers in a vote after a new one: a learner's last answer counts, once. */
export function withBallot({ agreed, refused }: Ballots, userId: UserId, agrees: boolean): Ballots {
  const others = (list: readonly UserId[]) => list.filter((other) => other !== userId);
  return {
    agreed: agrees ? [...others(agreed), userId] : others(agreed),
    refused: agrees ? others(refused) : [...others(refused), userId],
  };
}
