import {
  addDays,
  CARRIED_TASKS_MAX,
  GOAL_TASKS_MAX,
  type GoalTask,
  isPlannedFor,
  weekdayOf,
} from '@mogakgong/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mostPlanned, planAfter, type StoredTasks, tasksOf } from './day-tasks.ts';

/** A Friday. */
const TODAY = '2026-11-27';
const task = (text: string, more: Partial<GoalTask> = {}) => ({ text, isDone: false, ...more });
const stored = (parts: Partial<StoredTasks>): StoredTasks => ({
  ...{ day: TODAY, tasks: [], plan: [] },
  ...parts,
});

describe('the tasks of a day', () => {
  it('are those that are stored for it, also after its date went back', () => {
    const tasks = [task('done', { isDone: true }), task('open')];
    expect(tasksOf(stored({ tasks }), TODAY)).toEqual(tasks);
    expect(tasksOf(stored({ tasks }), addDays(TODAY, -1))).toEqual(tasks);
    expect(tasksOf(undefined, TODAY)).toEqual([]);
  });

  it('keep the day on which an unfinished one began, over several days', () => {
    const tasks = [task('done', { isDone: true }), task('open')];
    const carried = tasksOf(stored({ tasks }), addDays(TODAY, 3));
    expect(carried).toEqual([task('open', { fromDay: TODAY })]);
    const later = stored({ day: addDays(TODAY, 3), tasks: carried });
    expect(tasksOf(later, addDays(TODAY, 4))).toEqual(carried);
  });

  it('carry over a planned one of a day on which the learner was away', () => {
    const plan = [{ text: 'once', day: addDays(TODAY, 1), weekdays: [] }];
    expect(tasksOf(stored({ plan }), addDays(TODAY, 1))).toEqual([task('once')]);
    expect(tasksOf(stored({ plan }), addDays(TODAY, 2))).toEqual([
      task('once', { fromDay: addDays(TODAY, 1) }),
    ]);
  });

  it('have a repeated one once on each of its days, and not after missed ones', () => {
    const plan = [{ text: 'words', day: null, weekdays: [weekdayOf(addDays(TODAY, 1))] }];
    expect(tasksOf(stored({ plan }), addDays(TODAY, 1))).toEqual([task('words')]);
    expect(tasksOf(stored({ plan }), addDays(TODAY, 2))).toEqual([]);
    const tasks = [task('words')];
    expect(tasksOf(stored({ plan, tasks }), addDays(TODAY, 1))).toEqual([task('words')]);
    expect(tasksOf(stored({ plan, tasks }), addDays(TODAY, 2))).toEqual([
      task('words', { fromDay: TODAY }),
    ]);
  });

  it('stay within their limits, lose no unfinished one below them, and repeat none', () => {
    const texts = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');
    const planned = fc.oneof(
      fc.record({
        text: texts,
        day: fc.integer({ min: 1, max: 9 }).map((days) => addDays(TODAY, days)),
        weekdays: fc.constant<number[]>([]),
      }),
      fc.record({
        text: texts,
        day: fc.constant(null),
        weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
      }),
    );
    const tasks = fc.array(fc.record({ text: texts, isDone: fc.boolean() }), {
      maxLength: GOAL_TASKS_MAX,
    });
    fc.assert(
      fc.property(
        tasks,
        fc.array(planned, { maxLength: 20 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 6 }),
        (first, plan, pauses) => {
          fc.pre(mostPlanned(plan) <= GOAL_TASKS_MAX);
          let state = stored({ tasks: first, plan });
          for (const pause of pauses) {
            const day = addDays(state.day, pause);
            const next = tasksOf(state, day);
            const own = next.filter(({ fromDay }) => fromDay === undefined);
            const carried = next.filter(({ fromDay }) => fromDay !== undefined);
            expect(own).toEqual(
              plan.filter((one) => isPlannedFor(one, day)).map(({ text }) => task(text)),
            );
            expect(own.length).toBeLessThanOrEqual(GOAL_TASKS_MAX);
            expect(carried.length).toBeLessThanOrEqual(CARRIED_TASKS_MAX);
            const known = new Set(next.map(({ text }) => text));
            const open = state.tasks.filter(({ isDone }) => !isDone);
            if (carried.length < CARRIED_TASKS_MAX) {
              for (const { text } of open) expect(known).toContain(text);
            }
            const days = carried.map(({ fromDay }) => fromDay ?? '');
            expect(days).toEqual(days.toSorted());
            expect(days.every((from) => from < day)).toBe(true);
            state = { day, tasks: next, plan: planAfter(state.plan, day) };
          }
        },
      ),
    );
  });
});
