import { type DatedGoal, type Today, UserId } from '@mogakgong/contract';
import { act } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { renderHook } from '../../../testing/render.tsx';
import { queryClient } from '../../shared/api/query.ts';
import { changeOwnClock, takeToday } from '../../shared/today/today.ts';
import { notify } from '../../shared/ui/notify.ts';
import { takeGoal, useGoal } from './use-goal.ts';

const me = UserId.parse(1);
const empty: DatedGoal = {
  day: '2026-11-21',
  targetMinutes: null,
  tasks: [],
  isVisible: false,
  weekMinutes: null,
  plan: [],
  exams: [],
  version: 0,
};

const today: Today = {
  todayStudyTime: 0,
  day: empty.day,
  timeZone: 'Asia/Seoul',
  focusMs: 0,
  runningSinceMs: null,
  dayStartsAtMs: Date.UTC(2026, 10, 20, 15),
  dayEndsAtMs: Date.UTC(2026, 10, 21, 15),
  serverNowMs: Date.UTC(2026, 10, 21, 3),
};

let loaded: () => Response;
let saves: { goal: DatedGoal; answer: PromiseWithResolvers<Response> }[];

beforeEach(() => {
  queryClient.clear();
  saves = [];
  loaded = () => Response.json(empty);
  vi.stubGlobal('fetch', (_address: string, init: { method: string; body: string }) => {
    if (init.method === 'GET') return Promise.resolve(loaded());
    const answer = Promise.withResolvers<Response>();
    saves.push({ goal: JSON.parse(init.body), answer });
    return answer.promise;
  });
});
afterEach(() => {
  for (const { id } of notify.state().toasts) notify.dismissToast(id);
});

async function show() {
  takeToday(me, today);
  const { result } = renderHook(() => useGoal(me));
  await vi.waitFor(() => expect(result.current.value ?? result.current.error).toBeTruthy());
  const shown = () => result.current.value;
  const change = (changed: Parameters<typeof result.current.change>[0]) =>
    act(() => result.current.change(changed));
  const take = (goal: DatedGoal) => act(async () => takeGoal(me, goal));
  return { result, shown, change, take };
}

/** Answers the pending save as the server does: with the saved goal, in its next version. */
const answerSave = (version = 1) =>
  act(async () => {
    const save = saves.shift();
    save?.answer.resolve(Response.json({ ...save.goal, version }));
  });

test('a change shows at once and is saved whole, with the day it was made on', async () => {
  const { shown, change } = await show();
  change({ targetMinutes: 120 });
  expect(shown()?.targetMinutes).toBe(120);
  const { version: _, ...whole } = empty;
  expect(saves[0]?.goal).toEqual({ ...whole, targetMinutes: 120 });
  await answerSave();
  await vi.waitFor(() => expect(shown()).toEqual({ ...empty, targetMinutes: 120, version: 1 }));
});

test('changes during a save become one more save with all of them', async () => {
  const { shown, change } = await show();
  change({ targetMinutes: 60 });
  change({ targetMinutes: 90 });
  change({ isVisible: true });
  expect(saves).toHaveLength(1);
  await answerSave(1);
  await vi.waitFor(() => expect(saves).toHaveLength(1));
  expect(saves[0]?.goal).toMatchObject({ targetMinutes: 90, isVisible: true });
  await answerSave(2);
  expect(saves).toHaveLength(0);
  await vi.waitFor(() => expect(shown()).toMatchObject({ targetMinutes: 90, version: 2 }));
});

test('two places that show it change one goal: neither reverts the other', async () => {
  const [desk, settings] = [await show(), await show()];
  desk.change({ targetMinutes: 60 });
  expect(settings.shown()?.targetMinutes).toBe(60);
  settings.change({ isVisible: true });
  expect(desk.shown()).toMatchObject({ targetMinutes: 60, isVisible: true });
  expect(saves).toHaveLength(1);
  await answerSave(1);
  await vi.waitFor(() => expect(saves).toHaveLength(1));
  expect(saves[0]?.goal).toMatchObject({ targetMinutes: 60, isVisible: true });
  await answerSave(2);
  await vi.waitFor(() => expect(desk.shown()).toMatchObject({ targetMinutes: 60, version: 2 }));
});

test('a change that could not be saved is reverted, with a toast', async () => {
  const { shown, change } = await show();
  change({ targetMinutes: 60 });
  saves[0]?.answer.resolve(Response.json({ message: '저장하지 못했어요.' }, { status: 400 }));
  await vi.waitFor(() => expect(shown()).toEqual(empty));
  expect(notify.state().toasts.at(-1)?.text).toBe('저장하지 못했어요.');
});

test('a change without a network stays, and is sent once the page is online again', async () => {
  const { shown, change } = await show();
  change({ targetMinutes: 60 });
  saves.shift()?.answer.reject(new TypeError('no network'));
  await act(async () => undefined);
  expect(shown()?.targetMinutes).toBe(60);
  change({ isVisible: true });
  saves.shift()?.answer.reject(new TypeError('no network'));
  await act(async () => undefined);
  expect(notify.state().toasts).toEqual([]);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(saves).toHaveLength(1);
  expect(saves[0]?.goal).toMatchObject({ targetMinutes: 60, isVisible: true });
  await answerSave(1);
  expect(saves).toHaveLength(0);
  await vi.waitFor(() => expect(shown()).toMatchObject({ targetMinutes: 60, version: 1 }));
});

test.each([408, 429, 502, 503, 504])(
  'a change that meets a passing failure (%d) stays, and is sent again',
  async (status) => {
    const { shown, change } = await show();
    change({ targetMinutes: 60 });
    saves.shift()?.answer.resolve(new Response('', { status }));
    await act(async () => undefined);
    expect(shown()?.targetMinutes).toBe(60);
    expect(notify.state().toasts).toEqual([]);
    act(() => void window.dispatchEvent(new Event('online')));
    await vi.waitFor(() => expect(saves).toHaveLength(1));
    await answerSave(1);
    await vi.waitFor(() => expect(shown()).toMatchObject({ targetMinutes: 60, version: 1 }));
  },
);

test('what was written offline outlives its day: all but the tasks of the ended day', async () => {
  const { shown, change } = await show();
  const nextDay = '2026-11-22';
  const written = {
    plan: [{ text: '수학', day: nextDay, weekdays: [] }],
    exams: [{ name: '수능', day: '2027-11-18' }],
    weekMinutes: 600,
  };
  change({ ...written, tasks: [{ text: '어제', isDone: true }] });
  saves.shift()?.answer.reject(new TypeError('no network'));
  await act(async () => undefined);
  const carried = { text: '독서', isDone: false, fromDay: empty.day };
  loaded = () => Response.json({ ...empty, day: nextDay, tasks: [carried], version: 4 });
  await act(async () => {
    const dayMs = 86_400_000;
    const [dayStartsAtMs, dayEndsAtMs] = [today.dayStartsAtMs + dayMs, today.dayEndsAtMs + dayMs];
    const serverNowMs = today.serverNowMs + dayMs;
    takeToday(me, { ...today, day: nextDay, dayStartsAtMs, dayEndsAtMs, serverNowMs });
  });
  await vi.waitFor(() => expect(saves).toHaveLength(1));
  expect(saves[0]?.goal.day).toBe(empty.day);
  const ended = { error: 'goalDayEnded', message: '날이 바뀌었어요.' };
  saves.shift()?.answer.resolve(Response.json(ended, { status: 409 }));
  await vi.waitFor(() => expect(saves).toHaveLength(1));
  expect(notify.state().toasts.at(-1)?.text).toBe('날이 바뀌었어요.');
  const tasks = [carried, { text: '수학', isDone: false }];
  expect(saves[0]?.goal).toMatchObject({ ...written, day: nextDay, tasks });
  await answerSave(5);
  await vi.waitFor(() => expect(shown()).toMatchObject({ ...written, day: nextDay, tasks }));
  expect(saves).toHaveLength(0);
});

describe('a goal from another tab', () => {
  const other: DatedGoal = { ...empty, targetMinutes: 30, version: 1 };

  test('is shown', async () => {
    const { shown, take } = await show();
    await take(other);
    expect(shown()).toEqual(other);
  });

  test('is dropped when a newer one is known', async () => {
    const { shown, take } = await show();
    const newer: DatedGoal = { ...empty, targetMinutes: 60, version: 2 };
    await take(newer);
    await take(other);
    expect(shown()).toEqual(newer);
  });

  test('is not overwritten by the answer to an earlier save', async () => {
    const { shown, change, take } = await show();
    change({ targetMinutes: 60 });
    const newer: DatedGoal = { ...other, version: 2 };
    await take(newer);
    await answerSave(1);
    await vi.waitFor(() => expect(shown()).toEqual(newer));
  });

  test('does not flicker into a change that is being saved', async () => {
    const { shown, change, take } = await show();
    change({ isVisible: true });
    await take(other);
    expect(shown()).toEqual({ ...empty, isVisible: true });
    await answerSave(2);
  });
});

test('a goal that cannot be loaded says so and changes nothing', async () => {
  loaded = () => new Response('', { status: 503 });
  const { result, change } = await show();
  change({ isVisible: true });
  expect(result.current).toMatchObject({ value: null, error: expect.any(String) });
  expect(saves).toHaveLength(0);
});

test('a press of the clock does not redraw the goal', async () => {
  takeToday(me, { ...today, runningSinceMs: today.serverNowMs });
  let drawn = 0;
  const { result } = renderHook(() => {
    drawn += 1;
    return useGoal(me);
  });
  await vi.waitFor(() => expect(result.current.value).toEqual(empty));
  const before = drawn;
  const pause = { status: 'pause', sinceMs: today.serverNowMs + 1, focusMs: 0, awayMs: 0 } as const;
  const expected = { clock: pause, isOfOtherTab: false };
  act(() => changeOwnClock(me, { kind: 'expected', expected }));
  act(() => changeOwnClock(me, { kind: 'expected', expected: null }));
  expect(drawn).toBe(before);
});
