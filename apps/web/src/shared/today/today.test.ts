import { DAY_MS, type FocusClock, HOUR_MS, type Today, todayMs, UserId } from '@mogakgong/contract';
import { act } from '@testing-library/react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { renderHook } from '../../../testing/render.tsx';
import { storeAccessToken } from '../api/index.ts';
import { adjustClockByReply } from '../clock/server-clock.ts';
import {
  changeOwnClock,
  knownToday,
  stopTodayOnLeave,
  takePushedToday,
  takeToday,
  useToday,
  useTodaySeconds,
} from './today.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 9, 0, 0);

const running: Today = {
  todayStudyTime: 3_600,
  day: '2026-11-21',
  timeZone: 'Asia/Seoul',
  focusMs: HOUR_MS,
  runningSinceMs: NOW_MS,
  dayStartsAtMs: NOW_MS - HOUR_MS,
  dayEndsAtMs: NOW_MS - HOUR_MS + DAY_MS,
  serverNowMs: NOW_MS,
};
const standing: Today = { ...running, runningSinceMs: null };

let lastUser = 0;
let me: UserId;
beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS });
  lastUser += 1;
  me = UserId.parse(lastUser);
});

const clock = (status: 'focus' | 'pause', sinceMs: number) => ({
  status,
  sinceMs,
  focusMs: 0,
  awayMs: 0,
});

const present = (own: FocusClock) => changeOwnClock(me, { kind: 'present', clock: own });
const expectClock = (own: FocusClock | null) =>
  changeOwnClock(me, { kind: 'expected', expected: own && { clock: own, isOfOtherTab: false } });

describe('today', () => {
  test('belongs to one learner', () => {
    takeToday(me, running);
    expect(knownToday(UserId.parse(999))).toBeNull();
  });

  test('is not replaced by an older answer', () => {
    takePushedToday(me, { ...standing, serverNowMs: NOW_MS + 5_000 });
    takeToday(me, running);
    expect(knownToday(me)?.runningSinceMs).toBeNull();
  });

  test('stops and continues with the own clock', () => {
    takeToday(me, running);
    present(clock('pause', NOW_MS + 10_000));
    expect(knownToday(me)).toMatchObject({ focusMs: HOUR_MS + 10_000, runningSinceMs: null });
    // Every change of the clock comes with the server's state of the day.
    takeToday(me, { ...standing, focusMs: HOUR_MS + 10_000, serverNowMs: NOW_MS + 10_001 });
    present(clock('focus', NOW_MS + 20_000));
    const today = knownToday(me);
    expect(today && todayMs(today, NOW_MS + 25_000)).toBe(HOUR_MS + 15_000);
  });

  test('stops at once when the learner leaves, and continues if that fails', async () => {
    takeToday(me, running);
    const leaving = Promise.withResolvers<void>();
    const left = stopTodayOnLeave(me, () => leaving.promise);
    expect(knownToday(me)?.runningSinceMs).toBeNull();
    leaving.reject(new Error('no'));
    await expect(left).rejects.toThrow('no');
    expect(knownToday(me)).toEqual(running);
    await stopTodayOnLeave(me, async () => undefined);
    expect(knownToday(me)?.runningSinceMs).toBeNull();
  });

  test('shows a pending move, whatever arrives, and reverts it when it fails', () => {
    takeToday(me, running);
    expectClock(clock('pause', NOW_MS + 2_000));
    takeToday(me, { ...running, serverNowMs: NOW_MS + 4_000 });
    expect(knownToday(me)).toMatchObject({ focusMs: HOUR_MS + 2_000, runningSinceMs: null });
    expectClock(null);
    expect(knownToday(me)?.runningSinceMs).toBe(NOW_MS);
  });

  test('is stopped after leaving, whatever another tab has received meanwhile', async () => {
    takeToday(me, running);
    await stopTodayOnLeave(me, async () => {
      takeToday(me, { ...running, serverNowMs: NOW_MS + 4_000 });
    });
    expect(knownToday(me)?.runningSinceMs).toBeNull();
  });

  test('stops with the clock while a press waits for minutes to be sent', () => {
    takeToday(me, running);
    expectClock(clock('pause', NOW_MS + 2_000));
    takeToday(me, { ...running, serverNowMs: NOW_MS + 300_000 });
    expect(knownToday(me)).toMatchObject({ focusMs: HOUR_MS + 2_000, runningSinceMs: null });
    expectClock(null);
    expect(knownToday(me)?.runningSinceMs).toBe(NOW_MS);
  });

  test('already includes changes before the server’s answer', () => {
    takeToday(me, { ...standing, serverNowMs: NOW_MS + 5_000 });
    present(clock('focus', NOW_MS + 4_000));
    expect(knownToday(me)?.runningSinceMs).toBeNull();
  });
});

describe('on the page', () => {
  const answers: Today[] = [];
  const asked = vi.fn();
  beforeEach(() => {
    answers.length = 0;
    asked.mockClear();
    storeAccessToken('t');
    vi.stubGlobal('fetch', async (address: string) => {
      asked(address);
      const answer = answers.shift();
      if (!answer) throw new TypeError('Failed to fetch');
      return Response.json(answer);
    });
  });

  function show() {
    return renderHook(() => {
      useToday(me);
      return useTodaySeconds(me);
    });
  }
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

  test('it is loaded, ticks, and is loaded again every 60 s (specification §9)', async () => {
    answers.push(running, { ...running, focusMs: 2 * HOUR_MS, serverNowMs: NOW_MS + 60_000 });
    const { result } = show();
    expect(result.current).toBeNull();
    await pass(10);
    expect(result.current).toBe(3_600);
    await pass(5_000);
    expect(result.current).toBe(3_605);
    expect(asked).toHaveBeenCalledExactlyOnceWith('/api/user/stat/today-study-time');
    await pass(55_100);
    expect(asked).toHaveBeenCalledTimes(2);
    expect(result.current).toBe(7_260);
  });

  test('it restarts at the learner’s day start', async () => {
    answers.push({ ...running, dayEndsAtMs: NOW_MS + 3_000 });
    const { result } = show();
    await pass(2_010);
    expect(result.current).toBe(3_602);
    await pass(2_000);
    expect(result.current).toBe(1);
  });

  test('it is loaded at once when the page is shown again, and kept when that fails', async () => {
    answers.push(standing);
    const { result } = show();
    await pass(10);
    document.dispatchEvent(new Event('visibilitychange'));
    await pass(10);
    expect(asked).toHaveBeenCalledTimes(2);
    expect(result.current).toBe(3_600);
  });

  test('the header and a page share one request', async () => {
    answers.push(standing, { ...standing, serverNowMs: NOW_MS + 60_000 });
    show();
    await pass(30_000);
    const page = renderHook(() => useToday(me));
    expect(page.result.current.value?.focusMs).toBe(HOUR_MS);
    await pass(31_000);
    expect(asked).toHaveBeenCalledTimes(2);
    page.unmount();
    answers.push(running);
    await pass(60_000);
    expect(asked).toHaveBeenCalledTimes(3);
  });

  test('a page says why it is unknown, and loads it again', async () => {
    const { result } = renderHook(() => useToday(me));
    expect(result.current).toMatchObject({ value: null, isLoading: true, error: null });
    await pass(10);
    expect(result.current.error).toBe('네트워크 오류가 발생했습니다.');
    answers.push(standing);
    result.current.reload();
    await pass(10);
    expect(result.current.error).toBeNull();
    expect(result.current.value?.focusMs).toBe(HOUR_MS);
  });

  test('nothing is loaded once it is not shown', async () => {
    answers.push(standing);
    const { unmount } = show();
    await pass(10);
    unmount();
    await pass(120_000);
    expect(asked).toHaveBeenCalledOnce();
  });
});

describe('in two tabs', () => {
  let otherTab: BroadcastChannel;
  const heard: unknown[] = [];
  beforeEach(() => {
    vi.useRealTimers();
    heard.length = 0;
    otherTab = new BroadcastChannel('mogakgong.today');
    otherTab.addEventListener('message', ({ data }) => heard.push(data));
    vi.stubGlobal('fetch', async () => Response.json(running));
    return () => otherTab.close();
  });

  test('a break in one stops the other at once', async () => {
    const { unmount: stop } = renderHook(() => useToday(me));
    await vi.waitFor(() => expect(knownToday(me)).toEqual(running));
    otherTab.postMessage({ userId: me, expected: clock('pause', NOW_MS + 9_000) });
    await vi.waitFor(() => expect(knownToday(me)?.focusMs).toBe(HOUR_MS + 9_000));
    otherTab.postMessage({ userId: me, clock: clock('pause', NOW_MS + 9_040) });
    otherTab.postMessage({ userId: me, expected: null });
    await vi.waitFor(() => expect(knownToday(me)?.focusMs).toBe(HOUR_MS + 9_040));
    expect(knownToday(me)?.runningSinceMs).toBeNull();
    otherTab.postMessage({ userId: me, today: { ...running, serverNowMs: NOW_MS + 20_000 } });
    await vi.waitFor(() => expect(knownToday(me)?.runningSinceMs).toBe(NOW_MS));
    stop();
  });

  test('a move of another tab expires after the longest time of its answer', async () => {
    const { unmount: stop } = renderHook(() => useToday(me));
    await vi.waitFor(() => expect(knownToday(me)).toEqual(running));
    otherTab.postMessage({ userId: me, expected: clock('pause', NOW_MS + 2_000) });
    await vi.waitFor(() => expect(knownToday(me)?.runningSinceMs).toBeNull());
    takeToday(me, { ...running, serverNowMs: NOW_MS + 60_000 });
    expect(knownToday(me)?.runningSinceMs).toBe(NOW_MS);
    stop();
  });

  test('a press counts in full, whatever the delays to the server were', async () => {
    adjustClockByReply(Date.now() + 1_001, Date.now() - 3);
    const { unmount: stop } = renderHook(() => useToday(me));
    await vi.waitFor(() => expect(heard).toHaveLength(1));
    await stopTodayOnLeave(me, async () => undefined);
    await vi.waitFor(() => expect(heard.length).toBeGreaterThan(3));
    for (const news of heard) expect(JSON.stringify(news)).not.toMatch(/\.\d/u);
    stop();
  });

  test('a tab passes on the server’s messages, never another tab’s', async () => {
    const { unmount: stop } = renderHook(() => useToday(me));
    await vi.waitFor(() => expect(heard).toEqual([{ userId: me, today: running }]));
    const newer = { ...standing, serverNowMs: NOW_MS + 5_000 };
    otherTab.postMessage({ userId: me, today: newer });
    await vi.waitFor(() => expect(knownToday(me)).toEqual(newer));
    const resumed = clock('focus', NOW_MS + 6_000);
    present(resumed);
    await vi.waitFor(() => expect(heard).toHaveLength(2));
    expect(heard[1]).toEqual({ userId: me, clock: resumed });
    stop();
  });

  test('another learner’s or an invalid message changes nothing', async () => {
    const { unmount: stop } = renderHook(() => useToday(me));
    await vi.waitFor(() => expect(knownToday(me)).toEqual(running));
    otherTab.postMessage({ userId: 999, clock: clock('pause', NOW_MS + 10_000) });
    otherTab.postMessage({ userId: me, clock: { status: 'asleep' } });
    otherTab.postMessage('pause');
    otherTab.postMessage({ userId: me, clock: clock('pause', NOW_MS + 30_000) });
    await vi.waitFor(() => expect(knownToday(me)?.runningSinceMs).toBeNull());
    expect(knownToday(me)?.focusMs).toBe(HOUR_MS + 30_000);
    stop();
  });
});
