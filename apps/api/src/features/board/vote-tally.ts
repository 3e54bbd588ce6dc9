import type { UserId } from '@mogakgong/contract';

/** What was said in a vote until now. */
export interface Ballots {
  readonly agreed: UserId[];
  readonly refused: UserId[];
}

/** A vote as those who sit there decide it. */
export interface Tally extends Ballots {
  /** How many must agree: more than half of those who sit there. */
  readonly needed: number;
  /** `open` while those who have not answered can still decide it. */
  readonly outcome: 'open' | 'passed' | 'refused';
}

/**
 * Counts a vote.
 * @param seated who sits there now: who has left counts no more, neither as a vote nor in the half.
 * @param isOver whether its time has passed: what has not passed by then is refused.
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

/** What was said in a vote once somebody has answered: their last answer counts, once. */
export function withBallot({ agreed, refused }: Ballots, userId: UserId, agrees: boolean): Ballots {
  const others = (list: readonly UserId[]) => list.filter((other) => other !== userId);
  return {
    agreed: agrees ? [...others(agreed), userId] : others(agreed),
    refused: agrees ? others(refused) : [...others(refused), userId],
  };
}
