import {
  LEADERBOARD_DAY_MAX_MS,
  type LeaderboardPerson,
  MINUTE_MS,
  UserId,
} from '@mogakgong/contract';
import { describe, expect, test } from 'vitest';
import { leaderboardRows, minutesOf, rowsNear } from './leaderboard-rows.ts';

const person = (userId: number, figures: Partial<LeaderboardPerson> = {}): LeaderboardPerson => ({
  userId: UserId.parse(userId),
  nickname: `n${String(userId).padStart(2, '0')}`,
  profileImage: '',
  level: 'ember',
  focusMs: 0,
  runningSinceMs: null,
  dayEndsAtMs: 1_000 * MINUTE_MS,
  ...figures,
});
const people = (count: number) => Array.from({ length: count }, (_, index) => person(index + 1));
const ranksOf = (minutes: readonly number[]) =>
  leaderboardRows(people(minutes.length), minutes).map(({ minutes: own, rank }) => [own, rank]);

describe('minutes of today', () => {
  test('advance while focusing, stop in a break, and end at sixteen hours and with the day', () => {
    const running = person(1, { focusMs: 10 * MINUTE_MS, runningSinceMs: 0 });
    const resting = person(2, { focusMs: 10 * MINUTE_MS });
    const asleep = person(3, { focusMs: LEADERBOARD_DAY_MAX_MS, runningSinceMs: 0 });
    const all = [running, resting, asleep];
    expect(minutesOf(all, 0)).toEqual([10, 10, 960]);
    expect(minutesOf(all, 90_000)).toEqual([11, 10, 960]);
    expect(minutesOf(all, 1_002 * MINUTE_MS)).toEqual([2, 0, 2]);
  });
});

describe('ranks', () => {
  test('are shown in the first half only, and shared by equal minutes', () => {
    expect(ranksOf([5, 90, 30, 90, 20, 30])).toEqual([
      [90, 1],
      [90, 1],
      [30, 3],
      [30, 3],
      [20, null],
      [5, null],
    ]);
  });

  test('are not shown for three people, where one rank would reveal the others', () => {
    expect(ranksOf([30, 20, 10]).map(([, rank]) => rank)).toEqual([null, null, null]);
  });

  test('are not shown for zero minutes', () => {
    expect(ranksOf([0, 0, 0, 0]).map(([, rank]) => rank)).toEqual([null, null, null, null]);
  });

  test('have no gap for a hidden person: they count shown people only', () => {
    expect(ranksOf([40, 30, 20, 10]).map(([, rank]) => rank)).toEqual([1, 2, null, null]);
  });
});

describe('the rows near the learner', () => {
  const near = (userId: number, count = 20) => {
    const minutes = Array.from({ length: count }, (_, index) => 100 - index);
    const rows = leaderboardRows(people(count), minutes);
    return rowsNear(rows, UserId.parse(userId)).map((row) => row.person.userId);
  };

  test('are three before and three after, and at the ends as many', () => {
    expect(near(10)).toEqual([7, 8, 9, 10, 11, 12, 13]);
    expect(near(1)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(near(20)).toEqual([14, 15, 16, 17, 18, 19, 20]);
    expect(near(2, 3)).toEqual([1, 2, 3]);
  });
});
