import { type FocusClock, focusedMs, type TimerReply } from '@mogakgong/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { OwnTimer } from './own-timer.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 9, 0, 0);
const focusing: FocusClock = { status: 'focus', focusMs: 0, awayMs: 0, sinceMs: NOW_MS - 60_000 };
const paused: FocusClock = { status: 'pause', focusMs: 60_000, awayMs: 0, sinceMs: NOW_MS };

type Answer = PromiseWithResolvers<TimerReply>;

let answers: Answer[];
const send = vi.fn();
const onExpected = vi.fn();
const onAnswered = vi.fn();
const onFailed = vi.fn();
let timer: OwnTimer;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS });
  vi.clearAllMocks();
  answers = [];
  send.mockImplementation(() => {
    const answer = Promise.withResolvers<TimerReply>();
    answers.push(answer);
    return answer.promise;
  });
  timer = new OwnTimer({ send, onExpected, onAnswered, onFailed });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const status = () => timer.getSnapshot().clock?.status;

async function answer(clock: FocusClock): Promise<void> {
  answers.shift()?.resolve({ clock, serverNowMs: NOW_MS });
  await vi.advanceTimersByTimeAsync(0);
}
async function refuse(error: unknown): Promise<void> {
  answers.shift()?.reject(error);
  await vi.advanceTimersByTimeAsync(0);
}

test('nothing moves before the server has told the clock', () => {
  timer.toggle();
  timer.toggleAway();
  expect(send).not.toHaveBeenCalled();
  expect(timer.getSnapshot()).toEqual({ clock: null, isMoving: false });
});

describe('a press', () => {
  test.each([
    ['idle', 'start', 'focus'],
    ['focus', 'pause', 'pause'],
    ['pause', 'resume', 'focus'],
    ['away', 'resume', 'focus'],
  ] as const)('of %s sends %s and shows %s at once (specification §4)', (from, move, to) => {
    timer.noteClock({ ...focusing, status: from });
    timer.toggle();
    expect(send).toHaveBeenCalledExactlyOnceWith(move);
    expect(status()).toBe(to);
  });

  test('does nothing once the visit has ended', () => {
    timer.noteClock({ ...focusing, status: 'ended' });
    timer.toggle();
    timer.toggleAway();
    expect(send).not.toHaveBeenCalled();
  });

  test('keeps what was counted', () => {
    timer.noteClock(focusing);
    timer.toggle();
    const { clock } = timer.getSnapshot();
    expect(clock && focusedMs(clock, NOW_MS + 5_000)).toBe(60_000);
    expect(onExpected).toHaveBeenCalledExactlyOnceWith(clock);
  });

  test('before the answer shows at once; the last one is sent after it', async () => {
    timer.noteClock(focusing);
    timer.toggle();
    timer.toggle();
    expect(status()).toBe('focus');
    timer.toggleAway();
    expect(status()).toBe('away');
    expect(send).toHaveBeenCalledExactlyOnceWith('pause');
    await answer(paused);
    expect(onAnswered).toHaveBeenCalledExactlyOnceWith(paused);
    expect(send.mock.calls).toEqual([['pause'], ['away']]);
    expect(timer.getSnapshot()).toMatchObject({ clock: { status: 'away' }, isMoving: true });
    const away: FocusClock = { ...paused, status: 'away', sinceMs: NOW_MS + 1 };
    await answer(away);
    expect(timer.getSnapshot()).toEqual({ clock: away, isMoving: false });
    expect(send).toHaveBeenCalledTimes(2);
  });

  test('for what is under way already is sent once', async () => {
    timer.noteClock(focusing);
    timer.move('pause');
    timer.move('pause');
    await answer(paused);
    expect(send).toHaveBeenCalledOnce();
  });

  test('that was taken back before the answer, twice, is sent no more', async () => {
    timer.noteClock(focusing);
    timer.toggle();
    timer.toggle();
    timer.toggle();
    await answer(paused);
    expect(send).toHaveBeenCalledOnce();
    expect(timer.getSnapshot()).toEqual({ clock: paused, isMoving: false });
  });

  test('is dropped when the answer leaves no way to it', async () => {
    timer.noteClock(focusing);
    timer.toggle();
    timer.toggle();
    const ended: FocusClock = { ...paused, status: 'ended', sinceMs: NOW_MS + 1 };
    await answer(ended);
    expect(send).toHaveBeenCalledOnce();
    expect(timer.getSnapshot()).toEqual({ clock: ended, isMoving: false });
  });

  test('is dropped when the one before it fails', async () => {
    timer.noteClock(focusing);
    timer.toggle();
    timer.toggleAway();
    await refuse(new Error('no'));
    expect(send).toHaveBeenCalledOnce();
    expect(onFailed).toHaveBeenCalledOnce();
    expect(timer.getSnapshot()).toEqual({ clock: focusing, isMoving: false });
  });
});

describe('a failure', () => {
  test('takes the status back and says why (specification §4)', async () => {
    timer.noteClock(focusing);
    timer.toggle();
    expect(status()).toBe('pause');
    const error = new Error('no');
    await refuse(error);
    expect(timer.getSnapshot()).toEqual({ clock: focusing, isMoving: false });
    expect(onFailed).toHaveBeenCalledExactlyOnceWith(error);
  });

  test('takes it back to what another tab did meanwhile', async () => {
    timer.noteClock(focusing);
    timer.toggle();
    const away: FocusClock = { ...focusing, status: 'away', sinceMs: NOW_MS + 1 };
    timer.noteClock(away);
    expect(status()).toBe('pause');
    await refuse(new Error('no'));
    expect(timer.getSnapshot().clock).toBe(away);
  });

  test('without network shows nothing that it would have to take back', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    timer.noteClock(focusing);
    timer.toggle();
    expect(status()).toBe('focus');
    expect(onExpected).not.toHaveBeenCalled();
    await refuse(new Error('no network'));
    expect(onFailed).toHaveBeenCalledOnce();
    expect(timer.getSnapshot()).toEqual({ clock: focusing, isMoving: false });
  });
});

describe('news from the room', () => {
  test('that is older than the answer does not flicker', async () => {
    timer.noteClock(focusing);
    timer.toggle();
    timer.noteClock({ ...focusing });
    expect(status()).toBe('pause');
    await answer(paused);
    timer.noteClock({ ...focusing });
    expect(timer.getSnapshot().clock).toBe(paused);
    timer.noteClock({ ...paused });
    const later: FocusClock = { ...paused, status: 'focus', sinceMs: NOW_MS + 2_000 };
    timer.noteClock(later);
    expect(timer.getSnapshot().clock).toBe(later);
  });

  test('that came before the answer stands when it is newer', async () => {
    timer.noteClock(focusing);
    timer.toggle();
    const later: FocusClock = { ...paused, status: 'away', sinceMs: NOW_MS + 500 };
    timer.noteClock(later);
    await answer(paused);
    expect(timer.getSnapshot().clock).toBe(later);
  });

  test('of silence keeps what is known', () => {
    timer.noteClock(focusing);
    timer.noteClock(null);
    expect(timer.getSnapshot().clock).toBe(focusing);
  });
});
