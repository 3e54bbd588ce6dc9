import { beforeEach, expect, test } from 'vitest';
import { PhaseEnds } from './phase-ends.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.UTC(2026, 10, 21, 9, 0, 0);
const schedule = { focusMinutes: 25, breakMinutes: 5, startedAtMs: START_MS };

let ends: PhaseEnds;
beforeEach(() => {
  ends = new PhaseEnds();
});
const at = (minutes: number, of = schedule) => ends.endedPhase(of, START_MS + minutes * MINUTE_MS);

test('tells each end of a phase once', () => {
  expect([at(0), at(24.99)]).toEqual([null, null]);
  expect(at(25)).toMatchObject({ kind: 'focus', round: 1 });
  expect(at(25.02)).toBeNull();
  expect(at(30)).toMatchObject({ kind: 'break', round: 1 });
  expect(at(55)).toMatchObject({ kind: 'focus', round: 2 });
});

test('tells nothing of what ended before it watched', () => {
  expect(at(26)).toBeNull();
});

test('goes on over a fresh snapshot of the same schedule, and anew with another one', () => {
  at(24);
  expect(at(25, { ...schedule })).not.toBeNull();
  expect(at(30, { ...schedule, startedAtMs: START_MS + 1_000 })).toBeNull();
});

test('tells it in a hidden page that ticks once a minute', () => {
  at(24.98);
  expect(at(26.02)).toMatchObject({ kind: 'focus', round: 1 });
});

test('keeps still about what a sleeping computer missed, and tells the next one', () => {
  at(24);
  expect(at(28)).toBeNull();
  expect(at(30)).toMatchObject({ kind: 'break' });
});

test('watches nothing while there is no schedule', () => {
  at(24);
  expect(ends.endedPhase(null, START_MS + 25 * MINUTE_MS)).toBeNull();
  expect(at(25)).toBeNull();
});
