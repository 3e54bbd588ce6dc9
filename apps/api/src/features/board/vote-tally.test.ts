import type { UserId } from '@mogakgong/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Ballots, tally, withBallot } from './vote-tally.ts';

const ids = (...numbers: number[]) => numbers as UserId[];
const seats = (count: number) =>
  new Set(Array.from({ length: count }, (_, index) => (index + 1) as UserId));
const nobody: Ballots = { agreed: [], refused: [] };

describe('a vote', () => {
  it.each([
    // seated, agreed, refused, outcome
    [1, ids(1), ids(), 'passed'],
    [2, ids(1), ids(), 'open'],
    [2, ids(1, 2), ids(), 'passed'],
    [2, ids(1), ids(2), 'refused'],
    [3, ids(1, 2), ids(), 'passed'],
    [4, ids(1, 2), ids(3), 'open'],
    [4, ids(1, 2), ids(3, 4), 'refused'],
    [20, ids(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), ids(), 'open'],
    [20, ids(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), ids(), 'passed'],
  ])('of %i with %j for and %j against is %s', (seated, agreed, refused, outcome) => {
    expect(tally({ agreed, refused }, seats(seated), false).outcome).toBe(outcome);
  });

  it('no longer counts a learner who has left, neither for, nor against, nor in the half', () => {
    const four = { agreed: ids(1, 2), refused: ids(3, 4) };
    expect(tally(four, new Set(ids(1, 2, 3)), false)).toEqual({
      ...{ agreed: ids(1, 2), refused: ids(3), needed: 2, outcome: 'passed' },
    });
    expect(tally(four, new Set(ids(5)), false)).toEqual({
      ...{ agreed: [], refused: [], needed: 1, outcome: 'open' },
    });
  });

  it('is refused when its time is over, unless enough agree by then', () => {
    expect(tally({ agreed: ids(1, 2), refused: [] }, seats(4), true).outcome).toBe('refused');
    expect(tally({ agreed: ids(1, 2, 3), refused: [] }, seats(4), true).outcome).toBe('passed');
    expect(tally(nobody, new Set(), true).outcome).toBe('refused');
  });

  it('counts everybody once, by their last answer', () => {
    const answer = fc.record({
      userId: fc.integer({ min: 1, max: 6 }).map((id) => id as UserId),
      agrees: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(answer), fc.integer({ min: 0, max: 6 }), (answers, seated) => {
        const ballots = answers.reduce<Ballots>(
          (before, { userId, agrees }) => withBallot(before, userId, agrees),
          nobody,
        );
        const last = new Map(answers.map(({ userId, agrees }) => [userId, agrees]));
        const of = (agrees: boolean) =>
          [...last].filter(([userId, said]) => said === agrees && userId <= seated).length;
        const { agreed, refused, needed, outcome } = tally(ballots, seats(seated), false);
        expect([agreed.length, refused.length]).toEqual([of(true), of(false)]);
        expect(outcome === 'passed').toBe(of(true) > seated / 2);
        expect(needed).toBe(Math.floor(seated / 2) + 1);
      }),
    );
  });
});
