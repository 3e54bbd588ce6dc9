import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SECOND_MS } from '../durations.ts';
import {
  awayMsOf,
  clockAfter,
  clockAt,
  countedDownBy,
  type FocusClock,
  FocusStatus,
  focusedMs,
  serverOffsetMs,
  statusAfter,
  stillClock,
  tileMs,
  todayMs,
  toggleMove,
} from '../index.ts';

const statuses = FocusStatus.options;

describe('the transition table', () => {
  it.each([
    ['idle', 'start', 'focus'],
    ['focus', 'pause', 'pause'],
    ['pause', 'resume', 'focus'],
    ['focus', 'away', 'away'],
    ['pause', 'away', 'away'],
    ['away', 'resume', 'focus'],
    ['idle', 'leave', 'ended'],
    ['away', 'leave', 'ended'],
  ] as const)('%s becomes by %s: %s', (from, move, to) => {
    expect(statusAfter(from, move)).toBe(to);
  });

  it.each([
    ['idle', 'pause'],
    ['idle', 'resume'],
    ['idle', 'away'],
    ['pause', 'start'],
    ['away', 'start'],
    ['away', 'pause'],
    ['ended', 'start'],
    ['ended', 'resume'],
    ['ended', 'away'],
  ] as const)('%s allows no %s', (from, move) => {
    expect(statusAfter(from, move)).toBeNull();
  });

  it('answers a repeated move with the status it led to', () => {
    expect(statusAfter('focus', 'start')).toBe('focus');
    expect(statusAfter('pause', 'pause')).toBe('pause');
    expect(statusAfter('away', 'away')).toBe('away');
    expect(statusAfter('ended', 'leave')).toBe('ended');
  });

  it('always allows what the button of a tile does', () => {
    for (const status of statuses) {
      const move = toggleMove(status);
      expect(move === null || statusAfter(status, move) !== null).toBe(true);
    }
    expect(toggleMove('ended')).toBeNull();
  });
});

const clocks: fc.Arbitrary<FocusClock> = fc.record({
  status: fc.constantFrom(...statuses),
  focusMs: fc.nat(1e9),
  awayMs: fc.nat(1e9),
  sinceMs: fc.integer({ min: 1e12, max: 2e12 }),
});

describe('the clock', () => {
  const clock: FocusClock = { status: 'focus', focusMs: 5_000, awayMs: 7_000, sinceMs: 100_000 };

  it('counts focus while focusing, away while away, and the break in a break', () => {
    expect(tileMs(clock, 103_000)).toBe(8_000);
    expect(tileMs({ ...clock, status: 'away' }, 103_000)).toBe(10_000);
    // A break shows its own length, on the tile and in the bar.
    expect(tileMs({ ...clock, status: 'pause' }, 103_000)).toBe(3_000);
    expect(tileMs(stillClock('idle', 0), 103_000)).toBe(0);
  });

  it('never runs backwards before its status began', () => {
    expect(focusedMs(clock, 90_000)).toBe(5_000);
  });

  it('loses and doubles nothing when the status changes', () => {
    fc.assert(
      fc.property(
        clocks,
        fc.constantFrom(...statuses),
        fc.nat(1e7),
        fc.nat(1e7),
        (before, status, waitMs, laterMs) => {
          const changeMs = before.sinceMs + waitMs;
          const after = clockAfter(before, status, changeMs);
          expect(focusedMs(after, changeMs)).toBe(focusedMs(before, changeMs));
          expect(awayMsOf(after, changeMs)).toBe(awayMsOf(before, changeMs));
          const grown = focusedMs(after, changeMs + laterMs) - focusedMs(after, changeMs);
          expect(grown).toBe(status === 'focus' ? laterMs : 0);
        },
      ),
    );
  });

  it('reads the offset in the middle of a question and its answer', () => {
    expect(serverOffsetMs({ serverNowMs: 10_050, sentAtMs: 1_000, receivedAtMs: 1_100 })).toBe(
      9_000,
    );
  });
});

describe('today', () => {
  const today = { focusMs: 60 * SECOND_MS, runningSinceMs: 1_000_000, dayEndsAtMs: 1_100_000 };

  it('goes on with the running focus', () => {
    expect(todayMs(today, 1_030_000)).toBe(90 * SECOND_MS);
    expect(todayMs({ ...today, runningSinceMs: null }, 1_030_000)).toBe(60 * SECOND_MS);
  });

  it('restarts with the next day', () => {
    expect(todayMs(today, 1_100_000)).toBe(0);
    expect(todayMs(today, 1_110_000)).toBe(10 * SECOND_MS);
    expect(todayMs({ ...today, runningSinceMs: null }, 1_110_000)).toBe(0);
  });
});

describe('a clock that follows a schedule', () => {
  const MINUTE_MS = 60 * SECOND_MS;
  const schedule = { startedAtMs: 0, focusMinutes: 25, breakMinutes: 5 };
  const clock: FocusClock = { status: 'focus', focusMs: 0, awayMs: 0, sinceMs: 0, schedule };
  const at = (minutes: number, own = clock) => clockAt(own, minutes * MINUTE_MS);

  it.each([
    [24, 'focus', 0, 0],
    [25, 'pause', 25, 25],
    [29, 'pause', 25, 25],
    [30, 'focus', 30, 25],
    [55, 'pause', 55, 50],
    [300, 'focus', 300, 250],
  ] as const)(
    'at minute %d it is in %s since minute %d, after %d of focus',
    (now, status, since, focus) => {
      expect(at(now)).toMatchObject({
        ...{ status, sinceMs: since * MINUTE_MS, focusMs: focus * MINUTE_MS },
      });
    },
  );

  it('goes on in a break that was resumed by hand, until the next one', () => {
    const resumed = clockAfter(at(25), 'focus', 26 * MINUTE_MS);
    expect(at(31, resumed)).toMatchObject({ status: 'focus', sinceMs: 26 * MINUTE_MS });
    expect(at(55, resumed)).toMatchObject({ status: 'pause', sinceMs: 55 * MINUTE_MS });
  });

  it('stays in a break of its own, and away', () => {
    for (const status of ['pause', 'away'] as const) {
      const own = clockAfter(clock, status, MINUTE_MS);
      expect(at(31, own)).toBe(own);
    }
  });

  it('is counted down in a break of the schedule alone', () => {
    expect(countedDownBy(at(26))).toEqual(schedule);
    expect(countedDownBy(at(24))).toBeNull();
    expect(countedDownBy(clockAfter(clock, 'pause', MINUTE_MS))).toBeNull();
    const ended = { ...clock, schedule: { ...schedule, endedAtMs: 26 * MINUTE_MS } };
    expect(countedDownBy(at(40, ended))).toBeNull();
    const { schedule: _schedule, ...without } = at(26);
    expect(countedDownBy(without)).toBeNull();
  });

  it('changes no more once the schedule has ended', () => {
    const ended = { ...clock, schedule: { ...schedule, endedAtMs: 26 * MINUTE_MS } };
    expect(at(40, ended)).toMatchObject({ status: 'pause', sinceMs: 25 * MINUTE_MS });
    // The break is their own now: it shows its length.
    expect(tileMs(ended, 40 * MINUTE_MS)).toBe(15 * MINUTE_MS);
    expect(tileMs(clock, 26 * MINUTE_MS)).toBe(4 * MINUTE_MS);
  });

  it('counts in today as on the tile, over any number of phases', () => {
    fc.assert(
      fc.property(fc.nat(600), fc.boolean(), (minutes, isFocusing) => {
        const sinceMs = isFocusing ? 0 : 25 * MINUTE_MS;
        const phases = { ...schedule, sinceMs };
        const nowMs = sinceMs + minutes * MINUTE_MS;
        const today = { focusMs: 7, dayEndsAtMs: 1e12, phases };
        const begun: FocusClock = isFocusing ? clock : at(25);
        const runningSinceMs = isFocusing ? 0 : null;
        expect(todayMs({ ...today, runningSinceMs }, nowMs) - 7).toBe(
          focusedMs(begun, nowMs) - begun.focusMs,
        );
      }),
    );
  });
});
