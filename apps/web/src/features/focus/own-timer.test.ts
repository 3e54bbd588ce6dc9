import { type FocusClock, focusedMs, RoomId, UserId } from '@mogakgong/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { knownToday, takeToday } from '../../shared/today/today.ts';
import { notify } from '../../shared/ui/notify.ts';
import { OwnTimer } from './own-timer.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 9, 0, 0);
const me = UserId.parse(7);
const focusing: FocusClock = { status: 'focus', focusMs: 0, awayMs: 0, sinceMs: NOW_MS - 60_000 };
const paused: FocusClock = { status: 'pause', focusMs: 60_000, awayMs: 0, sinceMs: NOW_MS };

let answers: PromiseWithResolvers<Response>[];
let sent: string[];
let timer: OwnTimer;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS });
  answers = [];
  sent = [];
  vi.stubGlobal('fetch', (address: string) => {
    const move = /^\/api\/timer\/(?<move>\w+)$/u.exec(address)?.groups?.move;
    if (move === undefined) return Promise.reject(new TypeError('no'));
    sent.push(move);
    const answer = Promise.withResolvers<Response>();
    answers.push(answer);
    return answer.promise;
  });
  timer = new OwnTimer(me, RoomId.parse(3));
});
afterEach(() => {
  for (const { id } of notify.state().toasts) notify.dismissToast(id);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const shown = () => timer.store.getState();
const status = () => shown().clock?.status;
const toggle = () => shown().toggle();
const toggleAway = () => shown().toggleAway();
const toasts = () => notify.state().toasts.map(({ text }) => text);

async function answer(clock: FocusClock): Promise<void> {
  answers.shift()?.resolve(Response.json({ clock, serverNowMs: NOW_MS }));
  await vi.advanceTimersByTimeAsync(0);
}
async function refuse(): Promise<void> {
  answers.shift()?.resolve(Response.json({ message: '지금은 안 돼요' }, { status: 409 }));
  await vi.advanceTimersByTimeAsync(0);
}

test('nothing moves before the server has sent the clock', () => {
  toggle();
  toggleAway();
  expect(sent).toEqual([]);
  expect(shown()).toMatchObject({ clock: null, isMoving: false });
});

describe('a press', () => {
  test.each([
    ['idle', 'start', 'focus'],
    ['focus', 'pause', 'pause'],
    ['pause', 'resume', 'focus'],
    ['away', 'resume', 'focus'],
  ] as const)('of %s sends %s and shows %s at once (specification §4)', (from, move, to) => {
    timer.setPresent({ ...focusing, status: from });
    toggle();
    expect(sent).toEqual([move]);
    expect(status()).toBe(to);
  });

  test('does nothing once the visit has ended', () => {
    timer.setPresent({ ...focusing, status: 'ended' });
    toggle();
    toggleAway();
    expect(sent).toEqual([]);
  });

  test('keeps what was counted', () => {
    timer.setPresent(focusing);
    toggle();
    const { clock } = shown();
    expect(clock && focusedMs(clock, NOW_MS + 5_000)).toBe(60_000);
  });

  test('before the answer shows at once; the last one is sent after it', async () => {
    timer.setPresent(focusing);
    toggle();
    toggle();
    expect(status()).toBe('focus');
    toggleAway();
    expect(status()).toBe('away');
    expect(sent).toEqual(['pause']);
    await answer(paused);
    expect(sent).toEqual(['pause', 'away']);
    expect(shown()).toMatchObject({ clock: { status: 'away' }, isMoving: true });
    const away: FocusClock = { ...paused, status: 'away', sinceMs: NOW_MS + 1 };
    await answer(away);
    expect(shown()).toMatchObject({ clock: away, isMoving: false });
    expect(sent).toHaveLength(2);
  });

  test('that was taken back before the answer, twice, is sent no more', async () => {
    timer.setPresent(focusing);
    toggle();
    toggle();
    toggle();
    await answer(paused);
    expect(sent).toEqual(['pause']);
    expect(shown()).toMatchObject({ clock: paused, isMoving: false });
  });

  test('is dropped when the answer leaves no way to it', async () => {
    timer.setPresent(focusing);
    toggle();
    toggle();
    const ended: FocusClock = { ...paused, status: 'ended', sinceMs: NOW_MS + 1 };
    await answer(ended);
    expect(sent).toEqual(['pause']);
    expect(shown()).toMatchObject({ clock: ended, isMoving: false });
  });

  test('is dropped when the one before it fails', async () => {
    timer.setPresent(focusing);
    toggle();
    toggleAway();
    await refuse();
    expect(sent).toEqual(['pause']);
    expect(toasts()).toEqual(['지금은 안 돼요']);
    expect(shown()).toMatchObject({ clock: focusing, isMoving: false });
  });
});

describe("today's time", () => {
  const running = {
    todayStudyTime: 60,
    day: '2026-11-21',
    timeZone: 'Asia/Seoul',
    focusMs: 0,
    runningSinceMs: NOW_MS - 60_000,
    dayStartsAtMs: NOW_MS - 60_000,
    dayEndsAtMs: NOW_MS + 60_000,
    serverNowMs: NOW_MS - 1_000,
  };

  test('follows a move at once, and its failure', async () => {
    takeToday(me, running);
    timer.setPresent(focusing);
    toggle();
    expect(knownToday(me)).toMatchObject({ focusMs: 60_000, runningSinceMs: null });
    await refuse();
    expect(knownToday(me)).toEqual(running);
    toggle();
    await answer(paused);
    expect(knownToday(me)).toMatchObject({ focusMs: 60_000, runningSinceMs: null });
  });
});

describe('a failure', () => {
  test('takes the status back and says why (specification §4)', async () => {
    timer.setPresent(focusing);
    toggle();
    expect(status()).toBe('pause');
    await refuse();
    expect(shown()).toMatchObject({ clock: focusing, isMoving: false });
    expect(toasts()).toEqual(['지금은 안 돼요']);
  });

  test('takes it back to what another tab did meanwhile', async () => {
    timer.setPresent(focusing);
    toggle();
    const away: FocusClock = { ...focusing, status: 'away', sinceMs: NOW_MS + 1 };
    timer.setPresent(away);
    expect(status()).toBe('pause');
    await refuse();
    expect(shown().clock).toBe(away);
  });

  test('without network shows nothing that it would have to take back', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    timer.setPresent(focusing);
    toggle();
    expect(status()).toBe('focus');
    await refuse();
    expect(toasts()).toHaveLength(1);
    expect(shown()).toMatchObject({ clock: focusing, isMoving: false });
  });
});

describe('news from the room', () => {
  test('that is older than the answer does not flicker', async () => {
    timer.setPresent(focusing);
    toggle();
    timer.setPresent({ ...focusing });
    expect(status()).toBe('pause');
    await answer(paused);
    timer.setPresent({ ...focusing });
    expect(shown().clock).toEqual(paused);
    timer.setPresent({ ...paused });
    const later: FocusClock = { ...paused, status: 'focus', sinceMs: NOW_MS + 2_000 };
    timer.setPresent(later);
    expect(shown().clock).toBe(later);
  });

  test('that came before the answer stands when it is newer', async () => {
    timer.setPresent(focusing);
    toggle();
    const later: FocusClock = { ...paused, status: 'away', sinceMs: NOW_MS + 500 };
    timer.setPresent(later);
    await answer(paused);
    expect(shown().clock).toBe(later);
  });

  test('of silence keeps what is known', () => {
    timer.setPresent(focusing);
    timer.setPresent(null);
    expect(shown().clock).toBe(focusing);
  });
});
