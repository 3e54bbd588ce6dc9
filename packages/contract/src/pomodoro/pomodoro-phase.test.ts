import { expect, it } from 'vitest';
import { MINUTE_MS } from '../durations.ts';
import { pomodoroPhase } from './pomodoro.ts';

it.each([
  [0, 'focus', 1, 25],
  [24, 'focus', 1, 25],
  [25, 'break', 1, 30],
  [30, 'focus', 2, 55],
  [59, 'break', 2, 60],
  [-5, 'focus', 1, 25],
] as const)('%i minutes into 25/5 it is %s of round %i until minute %i', (at, kind, round, end) => {
  const schedule = { focusMinutes: 25, breakMinutes: 5, startedAtMs: 7_000 };
  expect(pomodoroPhase(schedule, 7_000 + at * MINUTE_MS)).toEqual({
    kind,
    round,
    endsAtMs: 7_000 + end * MINUTE_MS,
  });
});
