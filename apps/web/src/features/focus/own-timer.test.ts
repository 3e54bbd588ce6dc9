import { errors, type FocusClock, focusedMs, RoomId, SubjectId, UserId } from '@mogakgong/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { refusal } from '../../../testing/fake-api.ts';
import { resetServerClock } from '../../shared/clock/server-clock.ts';
import { clockOf, isMoving, isWaiting, unsentSubjectId } from '../../shared/today/own-clock.ts';
import { knownToday, takeToday, useOwnClock } from '../../shared/today/today.ts';
import { notify } from '../../shared/ui/notify.ts';
import { chooseSubject, OwnTimer, toggleTimer as toggle, toggleAway } from './own-timer.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 9, 0, 0);
const me = UserId.parse(7);
const focusing: FocusClock = { status: 'focus', focusMs: 0, awayMs: 0, sinceMs: NOW_MS - 60_000 };
const paused: FocusClock = { status: 'pause', focusMs: 60_000, awayMs: 0, sinceMs: NOW_MS };

let answers: PromiseWithResolvers<Response>[];
let sent: string[];
/** The moments of the presses that were sent, from `NOW_MS` on. */
let moments: number[];
let ids: string[];
let timer: OwnTimer;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS });
  resetServerClock();
  answers = [];
  sent = [];
  moments = [];
  ids = [];
  vi.stubGlobal('fetch', (address: string, { body }: { readonly body: string }) => {
    const move = /^\/api\/timer\/(?<move>\w+)$/u.exec(address)?.groups?.move;
    const isSubject = address === '/api/subjects/current';
    if (move === undefined && !isSubject) return Promise.reject(new TypeError('no'));
    const { press, subjectId } = JSON.parse(body);
    sent.push(move ?? `subject ${subjectId}`);
    moments.push(press.atMs - NOW_MS);
    ids.push(press.id);
    const answer = Promise.withResolvers<Response>();
    answers.push(answer);
    return answer.promise;
  });
  timer = new OwnTimer(me, RoomId.parse(3));
});
afterEach(() => {
  timer.discard();
  timer.close();
  for (const { id } of notify.state().toasts) notify.dismissToast(id);
});

const shown = () => {
  const own = useOwnClock.getState();
  return {
    clock: clockOf(own),
    isMoving: isMoving(own),
    isWaiting: isWaiting(own),
    unsentSubjectId: unsentSubjectId(own),
  };
};
const status = () => shown().clock?.status;
const toasts = () => notify.state().toasts.map(({ text }) => text);

async function answer(clock: FocusClock): Promise<void> {
  answers.shift()?.resolve(Response.json({ clock, currentId: null, serverNowMs: Date.now() }));
  await vi.advanceTimersByTimeAsync(0);
}
async function lose(): Promise<void> {
  answers.shift()?.reject(new TypeError('no network'));
  await vi.advanceTimersByTimeAsync(0);
}
async function refuse(): Promise<void> {
  answers.shift()?.resolve(Response.json({ message: '지금은 안 돼요' }, { status: 409 }));
  await vi.advanceTimersByTimeAsync(0);
}

test('presses do nothing before the server has sent the clock', () => {
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

  test('stays where the answer has no clock: the specification shows none (§7)', async () => {
    timer.setPresent(focusing);
    toggle();
    answers.shift()?.resolve(Response.json({}));
    await vi.advanceTimersByTimeAsync(0);
    expect(shown()).toMatchObject({ isMoving: false, isWaiting: false });
    expect(status()).toBe('pause');
  });

  test('does nothing once the visit has ended', () => {
    timer.setPresent({ ...focusing, status: 'ended' });
    toggle();
    toggleAway();
    expect(sent).toEqual([]);
  });

  test('keeps the counted time', () => {
    timer.setPresent(focusing);
    toggle();
    const { clock } = shown();
    expect(clock && focusedMs(clock, NOW_MS + 5_000)).toBe(60_000);
  });

  test('before the answer is shown at once; all are sent after it, with their times', async () => {
    timer.setPresent(focusing);
    toggle();
    await vi.advanceTimersByTimeAsync(1_000);
    toggle();
    expect(status()).toBe('focus');
    await vi.advanceTimersByTimeAsync(1_000);
    toggleAway();
    expect(status()).toBe('away');
    expect(sent).toEqual(['pause']);
    await answer(paused);
    await answer({ ...paused, status: 'focus', sinceMs: NOW_MS + 1_000 });
    expect(sent).toEqual(['pause', 'resume', 'away']);
    expect(moments).toEqual([0, 1_000, 2_000]);
    expect(shown()).toMatchObject({ clock: { status: 'away' }, isMoving: true });
    const away: FocusClock = { ...paused, status: 'away', sinceMs: NOW_MS + 2_000 };
    await answer(away);
    expect(shown()).toMatchObject({ clock: away, isMoving: false });
  });

  test('after a refused one is still sent', async () => {
    timer.setPresent(focusing);
    toggle();
    toggleAway();
    await refuse();
    expect(toasts()).toEqual(['지금은 안 돼요']);
    expect(sent).toEqual(['pause', 'away']);
    expect(status()).toBe('away');
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

  test('follows a press at once, and its failure', async () => {
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
  test('reverts the status and gives the reason (specification §4)', async () => {
    timer.setPresent(focusing);
    toggle();
    expect(status()).toBe('pause');
    await refuse();
    expect(shown()).toMatchObject({ clock: focusing, isMoving: false });
    expect(toasts()).toEqual(['지금은 안 돼요']);
  });

  test('beyond the presses of a day reverts all that waited, and says so once', async () => {
    timer.setPresent(focusing);
    toggle();
    await lose();
    toggleAway();
    timer.sendNow();
    for (let press = 0; press < 2; press += 1) {
      answers.shift()?.resolve(refusal('timerPressedTooOften'));
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(shown()).toMatchObject({ clock: focusing, isMoving: false, isWaiting: false });
    expect(toasts()).toEqual([errors.timerPressedTooOften.ko]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toEqual(['pause', 'pause', 'away']);
  });

  test('reverts to the status that another tab has set meanwhile', async () => {
    timer.setPresent(focusing);
    toggle();
    const away: FocusClock = { ...focusing, status: 'away', sinceMs: NOW_MS + 1 };
    timer.setPresent(away);
    // No break begins from there.
    expect(status()).toBe('away');
    await refuse();
    expect(shown().clock).toBe(away);
  });
});

describe('without a connection', () => {
  test('a press is kept, sent again under its id, and later ones after it', async () => {
    timer.setPresent(focusing);
    toggle();
    await lose();
    expect(shown()).toMatchObject({ clock: { status: 'pause' }, isMoving: false, isWaiting: true });
    expect(toasts()).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    toggle();
    await lose();
    expect(status()).toBe('focus');
    window.dispatchEvent(new Event('online'));
    await answer(paused);
    await answer({ ...paused, status: 'focus', sinceMs: NOW_MS + 1_000 });
    expect(sent.slice(-2)).toEqual(['pause', 'resume']);
    expect(moments.slice(-2)).toEqual([0, 1_000]);
    expect(new Set(ids).size).toBe(2);
    expect(shown()).toMatchObject({ clock: { status: 'focus' }, isWaiting: false });
  });

  test('it waits as long as a server without its database asks for', async () => {
    timer.setPresent(focusing);
    toggle();
    const headers = { 'retry-after': '20' };
    answers.shift()?.resolve(Response.json({ error: 'unavailable' }, { status: 503, headers }));
    await vi.advanceTimersByTimeAsync(19_999);
    expect(sent).toEqual(['pause']);
    await vi.advanceTimersByTimeAsync(1);
    await answer(paused);
    expect(new Set(ids).size).toBe(1);
    expect(shown()).toMatchObject({ clock: paused, isWaiting: false });
  });

  test('a press that did not reach the server whole in time is sent again', async () => {
    timer.setPresent(focusing);
    toggle();
    answers.shift()?.resolve(Response.json({ error: 'requestTimeout' }, { status: 408 }));
    await vi.advanceTimersByTimeAsync(0);
    expect(shown()).toMatchObject({ clock: { status: 'pause' }, isWaiting: true });
    expect(toasts()).toEqual([]);
    await vi.advanceTimersByTimeAsync(3_000);
    await answer(paused);
    expect(new Set(ids).size).toBe(1);
    expect(shown()).toMatchObject({ clock: paused, isWaiting: false });
  });

  test('a press answered with 500 is sent again, and reverted after some tries', async () => {
    timer.setPresent(focusing);
    toggle();
    toggle();
    const fail = () => answers.shift()?.resolve(Response.json({}, { status: 500 }));
    for (let tries = 1; tries <= 4; tries += 1) {
      fail();
      await vi.advanceTimersByTimeAsync(0);
      expect(shown()).toMatchObject({ clock: { status: 'focus' }, isWaiting: true });
      await vi.advanceTimersByTimeAsync(12_000);
      expect(sent).toHaveLength(tries + 1);
    }
    expect(toasts()).toEqual([]);
    fail();
    await vi.advanceTimersByTimeAsync(0);
    expect(toasts()).toHaveLength(1);
    expect(sent).toEqual([...Array(5).fill('pause'), 'resume']);
    expect(new Set(ids).size).toBe(2);
  });

  test('it is resent with growing delays', async () => {
    timer.setPresent(focusing);
    toggle();
    for (const longestMs of [3_000, 6_000, 12_000, 12_000]) {
      await lose();
      await vi.advanceTimersByTimeAsync(longestMs);
    }
    expect(sent).toHaveLength(5);
    await answer(paused);
    expect(shown()).toMatchObject({ clock: paused, isWaiting: false });
  });

  test('after a reload without a network the clock goes on, takes presses, and is away as the server counts', async () => {
    timer.setPresent(focusing);
    timer.setSilent(true);
    await vi.advanceTimersByTimeAsync(30_000);
    const reload = () => {
      window.dispatchEvent(new Event('pagehide'));
      timer.close();
      timer = new OwnTimer(me, RoomId.parse(3));
    };
    reload();
    expect(shown().clock).toEqual(focusing);
    toggle();
    expect(status()).toBe('pause');
    expect(moments).toEqual([30_000]);
    await lose();
    reload();
    expect(status()).toBe('pause');
    // The silence began before the reloads; nothing is put before the press.
    timer.setSilent(true);
    await vi.advanceTimersByTimeAsync(60_100);
    expect(shown().clock).toMatchObject({ status: 'away', sinceMs: NOW_MS + 30_000 });
    timer.setPresent(focusing);
    timer.setSilent(false);
    expect(status()).toBe('pause');
  });

  test('a clock of long ago is not shown after a reload', async () => {
    timer.setPresent(focusing);
    window.dispatchEvent(new Event('pagehide'));
    timer.close();
    await vi.advanceTimersByTimeAsync(11 * 60_000);
    timer = new OwnTimer(me, RoomId.parse(3));
    expect(shown().clock).toBeNull();
  });

  test('a press survives a reload, but not longer than a seat', async () => {
    timer.setPresent(focusing);
    toggle();
    await lose();
    const reloaded = async () => {
      timer.close();
      timer = new OwnTimer(me, RoomId.parse(3));
      timer.setPresent(focusing);
      await vi.advanceTimersByTimeAsync(0);
    };
    await reloaded();
    expect(status()).toBe('pause');
    expect(ids[0]).toBe(ids.at(-1));
    await lose();
    await vi.setSystemTime(NOW_MS + 10 * 60_000);
    await reloaded();
    expect(status()).toBe('focus');
  });

  test.each([
    ['the loss', lose],
    ['the answer', () => answer(paused)],
  ])('%s of a press under way leaves the next timer of the seat alone', async (_, end) => {
    timer.setPresent(focusing);
    toggle();
    await lose();
    window.dispatchEvent(new Event('online'));
    timer.close();
    timer = new OwnTimer(me, RoomId.parse(3));
    timer.setPresent(focusing);
    toggleAway();
    expect(sent).toHaveLength(3);
    await end();
    await lose();
    timer.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toHaveLength(3);
    timer = new OwnTimer(me, RoomId.parse(3));
    timer.setPresent(focusing);
    expect(status()).toBe('away');
    await answer(paused);
    expect(sent.slice(-2)).toEqual(['pause', 'away']);
  });

  test('presses of a seat that is given up are never sent', async () => {
    timer.setPresent(focusing);
    toggle();
    await lose();
    timer.discard();
    window.dispatchEvent(new Event('online'));
    expect(sent).toHaveLength(1);
    expect(status()).toBe('focus');
  });

  test('presses are sent before the seat is given up, and kept where the server cannot be reached', async () => {
    expect(timer.sendLast()).toBeNull();
    timer.setPresent(focusing);
    toggle();
    await lose();
    const leaving = timer.sendLast();
    timer.close();
    const failed = expect(leaving).rejects.toMatchObject({ status: 0 });
    await lose();
    await failed;
    const again = timer.sendLast();
    expect(sent).toEqual(['pause', 'pause', 'pause']);
    expect(new Set(ids).size).toBe(1);
    await answer(paused);
    await again;
    expect(timer.sendLast()).toBeNull();
  });

  test('the clock stops where the server will count a long silence as away', async () => {
    timer.setPresent(focusing);
    timer.setSilent(true);
    await vi.advanceTimersByTimeAsync(90_000);
    expect(status()).toBe('focus');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(shown().clock).toMatchObject({ status: 'away', focusMs: 60_000, sinceMs: NOW_MS });
    timer.setSilent(false);
    expect(shown().clock).toBe(focusing);
  });
});

describe('presence from the room', () => {
  test('older than the answer does not flicker', async () => {
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

  test('received before the answer is kept when it is newer', async () => {
    timer.setPresent(focusing);
    toggle();
    const later: FocusClock = { ...paused, status: 'away', sinceMs: NOW_MS + 500 };
    timer.setPresent(later);
    await answer(paused);
    expect(shown().clock).toBe(later);
  });

  test('of a lost connection keeps the known clock', () => {
    timer.setPresent(focusing);
    timer.setPresent(null);
    expect(shown().clock).toBe(focusing);
  });
});

describe('a choice of a subject', () => {
  const math = SubjectId.parse(4);
  test('shows at once, is sent with its moment, and changes nothing that the clock shows', async () => {
    timer.setPresent(focusing);
    chooseSubject(math);
    expect(shown()).toMatchObject({ unsentSubjectId: math, clock: focusing });
    expect(sent).toEqual([`subject ${math}`]);
    expect(moments).toEqual([0]);
    await answer({ ...focusing, focusMs: 60_000, sinceMs: NOW_MS });
    expect(shown().unsentSubjectId).toBeUndefined();
    expect(focusedMs(shown().clock as FocusClock, NOW_MS)).toBe(60_000);
  });

  test('waits among the timer’s presses, and is sent in their order', async () => {
    timer.setPresent(focusing);
    chooseSubject(math);
    await lose();
    toggle();
    chooseSubject(null);
    expect(shown()).toMatchObject({ isWaiting: true, unsentSubjectId: null });
    timer.sendNow();
    await answer(focusing);
    await answer(paused);
    await answer(paused);
    expect(sent).toEqual([`subject ${math}`, `subject ${math}`, 'pause', 'subject null']);
    expect(shown()).toMatchObject({ isWaiting: false, unsentSubjectId: undefined });
  });

  test('is reverted when the server refuses it, with the reason', async () => {
    timer.setPresent(focusing);
    chooseSubject(math);
    await refuse();
    expect(shown().unsentSubjectId).toBeUndefined();
    expect(toasts()).toEqual(['지금은 안 돼요']);
  });
});
