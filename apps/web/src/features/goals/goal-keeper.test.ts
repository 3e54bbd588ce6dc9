import type { DatedGoal } from '@mogakgong/contract';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { GoalKeeper } from './goal-keeper.ts';

const empty: DatedGoal = {
  day: '2026-11-21',
  targetMinutes: null,
  tasks: [],
  isVisible: false,
  version: 0,
};

const load = vi.fn<() => Promise<DatedGoal>>();
const onFailed = vi.fn();
let saves: { goal: DatedGoal; answer: PromiseWithResolvers<DatedGoal> }[];
let keeper: GoalKeeper;

beforeEach(async () => {
  vi.clearAllMocks();
  saves = [];
  load.mockResolvedValue(empty);
  const save = (goal: object) => {
    const answer = Promise.withResolvers<DatedGoal>();
    saves.push({ goal: goal as DatedGoal, answer });
    return answer.promise;
  };
  keeper = new GoalKeeper({ load, save, onFailed });
  await keeper.load();
});

const shown = () => keeper.getSnapshot().goal;

async function answerSave(): Promise<void> {
  const save = saves.shift();
  save?.answer.resolve(save.goal);
  await vi.waitFor(() => expect(save).toBeDefined());
  await Promise.resolve();
}

test('a change shows at once and is saved whole, with the day it was made on', async () => {
  keeper.change({ targetMinutes: 120 });
  expect(shown()?.targetMinutes).toBe(120);
  expect(saves[0]?.goal).toEqual({ ...empty, targetMinutes: 120 });
  await answerSave();
  expect(shown()).toEqual({ ...empty, targetMinutes: 120 });
});

test('changes during a save become one more, with all of them', async () => {
  keeper.change({ targetMinutes: 60 });
  keeper.change({ targetMinutes: 90 });
  keeper.change({ isVisible: true });
  expect(saves).toHaveLength(1);
  await answerSave();
  await vi.waitFor(() => expect(saves).toHaveLength(1));
  expect(saves[0]?.goal).toMatchObject({ targetMinutes: 90, isVisible: true });
  await answerSave();
  expect(shown()).toMatchObject({ targetMinutes: 90, isVisible: true });
});

test('what could not be saved is taken back, and said', async () => {
  keeper.change({ targetMinutes: 60 });
  const error = new Error('no');
  saves[0]?.answer.reject(error);
  await vi.waitFor(() => expect(onFailed).toHaveBeenCalledExactlyOnceWith(error));
  expect(shown()).toEqual(empty);
});

describe('what another tab said', () => {
  const other: DatedGoal = { ...empty, targetMinutes: 30 };

  test('is shown', () => {
    keeper.take(other);
    expect(shown()).toBe(other);
  });

  test('is dropped when something newer is known', () => {
    const newer: DatedGoal = { ...empty, targetMinutes: 60, version: 2 };
    keeper.take(newer);
    keeper.take({ ...other, version: 1 });
    expect(shown()).toBe(newer);
  });

  test('is not overwritten by the answer to an earlier save', async () => {
    keeper.change({ targetMinutes: 60 });
    const newer: DatedGoal = { ...other, version: 2 };
    keeper.take(newer);
    saves.shift()?.answer.resolve({ ...empty, targetMinutes: 60, version: 1 });
    await vi.waitFor(() => expect(shown()).toBe(newer));
  });

  test('does not flicker into a change that is being saved', async () => {
    keeper.change({ isVisible: true });
    keeper.take(other);
    expect(shown()).toEqual({ ...empty, isVisible: true });
    await answerSave();
    expect(shown()).toEqual({ ...empty, isVisible: true });
  });
});

test('a goal that cannot be had says so and changes nothing', async () => {
  load.mockRejectedValue(new Error('no'));
  const other = new GoalKeeper({ load, save: vi.fn(), onFailed });
  await other.load();
  other.change({ isVisible: true });
  expect(other.getSnapshot()).toEqual({ goal: null, hasFailed: true });
});
