import { act } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { renderHook } from '../../../testing/render.tsx';
import { clockText, paddedClockText, remainingText, timeOfDayText } from './clock-text.ts';
import {
  adjustClockByPush,
  adjustClockByReply,
  onClockUncertain,
  resetServerClock,
  serverNowMs,
} from './server-clock.ts';
import { onSecond, shownSecondMs, useSecond } from './ticker.ts';
import { onWake } from './waking.ts';

const START_MS = Date.UTC(2026, 10, 21, 9, 0, 0);

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  resetServerClock();
});

const aheadMs = () => serverNowMs() - Date.now();

describe('the server’s clock', () => {
  test('is this computer’s until the server’s is known', () => {
    expect(serverNowMs()).toBe(START_MS);
  });

  test('is read in the middle of a request and its answer', () => {
    adjustClockByReply(START_MS + 60_000, START_MS - 200);
    expect(aheadMs()).toBe(60_100);
  });

  test('is read in whole milliseconds, like every moment of the contract', () => {
    adjustClockByReply(START_MS + 60_000, START_MS - 201);
    expect(Number.isInteger(serverNowMs())).toBe(true);
  });

  test('is not replaced by a less precise reading', () => {
    adjustClockByReply(START_MS + 60_000, START_MS - 20);
    adjustClockByReply(START_MS + 60_000, START_MS - 3_000);
    adjustClockByPush(START_MS + 59_500);
    expect(aheadMs()).toBe(60_010);
    adjustClockByReply(START_MS + 60_000, START_MS - 10);
    expect(aheadMs()).toBe(60_005);
  });

  test.each([1_200, 3_000, 5_000])('is not set back by a push %i ms late', (lateMs) => {
    const asked = vi.fn();
    const stop = onClockUncertain(asked);
    adjustClockByReply(START_MS + 60_000, START_MS - 20);
    adjustClockByPush(START_MS + 60_010 - lateMs);
    adjustClockByPush(START_MS + 60_010 - lateMs);
    expect(aheadMs()).toBe(60_010);
    expect(asked).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(10_000);
    adjustClockByPush(START_MS + 70_010 - lateMs);
    expect(asked).toHaveBeenCalledTimes(2);
    stop();
  });

  test('is corrected by a push where the first one was late', () => {
    adjustClockByPush(START_MS - 3_000);
    adjustClockByPush(START_MS - 40);
    expect(aheadMs()).toBe(-40);
  });

  test('is read again at once when this computer’s clock was set back', () => {
    adjustClockByReply(START_MS, START_MS - 10);
    vi.setSystemTime(START_MS - 3_600_000);
    adjustClockByPush(START_MS + 40);
    expect(serverNowMs()).toBe(START_MS + 40);
  });

  test('is requested when this computer’s clock was set forward', () => {
    adjustClockByReply(START_MS, START_MS - 10);
    vi.setSystemTime(START_MS + 3_600_000);
    const stop = onClockUncertain(() => adjustClockByReply(START_MS + 40, Date.now()));
    adjustClockByPush(START_MS + 10);
    expect(serverNowMs()).toBe(START_MS + 40);
    stop();
  });

  test('accepts any answer after a sleep, but no push that waited through it', () => {
    const stop = onSecond(() => undefined);
    adjustClockByReply(START_MS + 60_000, START_MS);
    vi.setSystemTime(START_MS + 600_000);
    vi.advanceTimersByTime(1_100);
    adjustClockByPush(START_MS + 60_500);
    expect(aheadMs()).toBe(60_000);
    adjustClockByReply(Date.now() + 59_500, Date.now() - 8_000);
    expect(aheadMs()).toBe(63_500);
    stop();
  });
});

describe('the ticker', () => {
  test('ticks once a second of the server’s clock, for all listeners together', () => {
    adjustClockByReply(START_MS + 700, START_MS);
    const seen: number[] = [];
    const stops = [onSecond(() => seen.push(shownSecondMs())), onSecond(() => seen.push(-1))];
    vi.advanceTimersByTime(303);
    expect(seen).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual([START_MS + 1_000, -1]);
    vi.advanceTimersByTime(2_000);
    expect(seen).toHaveLength(6);
    expect(vi.getTimerCount()).toBe(1);
    for (const stop of stops) stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is right at once when the page is shown again', () => {
    const stop = onSecond(() => undefined);
    // A hidden tab: time passes, but timers do not fire.
    vi.setSystemTime(START_MS + 90_500);
    expect(shownSecondMs()).toBe(START_MS);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(shownSecondMs()).toBe(START_MS + 90_000);
    stop();
  });

  test('is set back by a large correction, not by a small one', () => {
    const stop = onSecond(() => undefined);
    expect(shownSecondMs()).toBe(START_MS);
    adjustClockByReply(START_MS - 300, START_MS - 500);
    expect(shownSecondMs()).toBe(START_MS);
    adjustClockByReply(START_MS - 60_000, START_MS);
    expect(shownSecondMs()).toBe(START_MS - 60_000);
    stop();
  });

  test('reports that this computer slept', () => {
    const woken = vi.fn();
    const stops = [onSecond(() => undefined), onWake(woken)];
    vi.advanceTimersByTime(5_000);
    expect(woken).not.toHaveBeenCalled();
    vi.setSystemTime(Date.now() + 600_000);
    vi.advanceTimersByTime(1_000);
    expect(woken).toHaveBeenCalledOnce();
    for (const stop of stops) stop();
  });

  test('reports a sleep during which both clocks of the computer advanced', () => {
    const woken = vi.fn();
    const stops = [onSecond(() => undefined), onWake(woken)];
    vi.advanceTimersByTime(2_000);
    const nowMs = performance.now();
    vi.setSystemTime(Date.now() + 600_000);
    vi.spyOn(performance, 'now').mockReturnValue(nowMs + 600_000);
    vi.advanceTimersByTime(1_000);
    expect(woken).toHaveBeenCalledOnce();
    for (const stop of stops) stop();
  });
});

test('an unchanged value is not rendered again', () => {
  let renders = 0;
  const { result } = renderHook(() => {
    renders += 1;
    return useSecond((nowMs) => Math.floor((nowMs - START_MS) / 60_000));
  });
  const atFirst = renders;
  act(() => vi.advanceTimersByTime(50_000));
  expect(renders).toBe(atFirst);
  act(() => vi.advanceTimersByTime(11_000));
  expect(result.current).toBe(1);
  expect(renders).toBe(atFirst + 1);
});

test('durations are formatted as specified', () => {
  expect([0, 59_999, 3_723_000, 36_000_000, -5].map(clockText)).toEqual([
    '0:00:00',
    '0:00:59',
    '1:02:03',
    '10:00:00',
    '0:00:00',
  ]);
  expect([0, 3_723_000, 360_000_000].map(paddedClockText)).toEqual([
    '00:00:00',
    '01:02:03',
    '100:00:00',
  ]);
  expect([0, 270].map(timeOfDayText)).toEqual(['00:00', '04:30']);
  expect([0, 1, 61_000, 1_500_000].map(remainingText)).toEqual(['0:00', '0:01', '1:01', '25:00']);
});
