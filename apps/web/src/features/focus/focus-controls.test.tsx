import { type FocusClock, RoomId, UserId } from '@mogakgong/contract';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { render } from '../../../testing/render.tsx';
import { chooseLanguage } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { FocusSign } from './focus-clock.tsx';
import { FocusControls } from './focus-controls.tsx';
import { OwnTimer } from './own-timer.ts';
import { useShortcutsSetting } from './shortcuts.tsx';

const NOW_MS = Date.UTC(2026, 10, 21, 9, 0, 0);
const ME = UserId.parse(7);
const ROOM = RoomId.parse(3);
const focusing: FocusClock = { status: 'focus', focusMs: 0, awayMs: 0, sinceMs: NOW_MS };

const called: string[] = [];
let answer: () => Promise<Response>;

let timer: OwnTimer;

function Room() {
  return (
    <>
      <input aria-label="글" />
      <FocusControls ring={null} />
      <FocusSign />
    </>
  );
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

async function show(present: FocusClock = focusing) {
  timer = new OwnTimer(ME, ROOM);
  timer.setPresent(present);
  render(<Room />);
  await pass(10);
}

// The texts are downloaded once, in real time.
beforeAll(async () => {
  await chooseLanguage('ko');
  timer = new OwnTimer(ME, ROOM);
  timer.setPresent(focusing);
  await act(async () => void render(<Room />));
  await screen.findByRole('button', { name: '휴식' });
  cleanup();
});
beforeEach(() => {
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  called.length = 0;
  useShortcutsSetting.setState({ isOn: true });
  for (const { id } of notify.state().toasts) notify.dismissToast(id);
  answer = () => new Promise(() => undefined);
  vi.stubGlobal('fetch', (address: string) => {
    if (!address.startsWith('/api/timer/')) return Promise.reject(new TypeError('no'));
    called.push(address);
    return answer();
  });
});
afterEach(() => {
  timer.discard();
  timer.close();
});

const press = (code: string, target: Element = document.body, more: object = {}) =>
  fireEvent.keyDown(target, { code, bubbles: true, ...more });
const toasts = () => notify.state().toasts.map(({ text }) => text);

describe('a break and away', () => {
  test('need one press', async () => {
    await show();
    fireEvent.click(screen.getByRole('button', { name: '휴식' }));
    expect(called).toEqual(['/api/timer/pause']);
    expect(screen.getByRole('button', { name: '다시 집중' })).toBeTruthy();
  });

  test('need one key, by its place on the keyboard', async () => {
    await show();
    press('KeyA', document.body, { key: 'ㅁ' });
    expect(called).toEqual(['/api/timer/away']);
  });

  test('a double click is one press', async () => {
    await show();
    const button = screen.getByRole('button', { name: '휴식' });
    answer = async () =>
      Response.json({
        clock: { ...focusing, status: 'pause', sinceMs: NOW_MS + 1 },
        serverNowMs: NOW_MS,
      });
    fireEvent.click(button, { detail: 1 });
    await pass(50);
    fireEvent.click(button, { detail: 2 });
    expect(called).toEqual(['/api/timer/pause']);
  });

  test('the focus moves from a button that disappears to its neighbour', async () => {
    await show();
    const away = screen.getByRole('button', { name: '자리 비움' });
    away.focus();
    fireEvent.click(away);
    await vi.waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: '다시 집중' })),
    );
  });

  test('the focus returns when the list of shortcuts is closed', async () => {
    await show();
    press('Slash', document.body, { shiftKey: true });
    const close = await vi.waitFor(() => screen.getByRole('button', { name: '닫기' }));
    close.focus();
    fireEvent.click(close);
    await pass(10);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(document.body);
  });

  test.each(['checkbox', 'radio', 'button'])('shortcuts work on a %s too', async (type) => {
    await show();
    const field = screen.getByLabelText<HTMLInputElement>('글');
    field.type = type;
    press('KeyB', field);
    expect(called).toEqual(['/api/timer/pause']);
  });

  test.each([
    ['while somebody writes', () => screen.getByLabelText('글'), {}],
    ['as part of a chord', () => document.body, { ctrlKey: true }],
    ['while Hangul is composed', () => document.body, { isComposing: true }],
    ['as a key that is held down', () => document.body, { repeat: true }],
  ])('the keys do nothing %s', async (_, target, more) => {
    await show();
    press('KeyB', target(), more);
    expect(called).toEqual([]);
  });

  test('shortcuts can be turned off, and on again', async () => {
    await show();
    press('Slash', document.body, { shiftKey: true });
    const choice = screen.getByLabelText<HTMLInputElement>(/^키보드 단축키 사용/u);
    expect(choice.checked).toBe(true);
    fireEvent.click(choice);
    fireEvent.click(screen.getByRole('button', { name: '닫기' }));
    press('KeyB');
    expect(called).toEqual([]);
    const stored = localStorage.getItem('mogakgong.shortcuts') ?? '';
    expect(stored).toContain('false');
    // Another tab turns them on again.
    localStorage.setItem('mogakgong.shortcuts', stored.replace('false', 'true'));
    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key: 'mogakgong.shortcuts' }));
    });
    press('KeyB');
    expect(called).toEqual(['/api/timer/pause']);
  });
});

describe('the title of the page', () => {
  test('shows the clock, and names a status that is not focus', async () => {
    await show();
    await pass(61_500);
    expect(document.title).toMatch(/^0:01:01/u);
    press('KeyA');
    expect(document.title).toMatch(/^자리 비움 0:00:00/u);
  });
});

describe('a move that fails', () => {
  test('is reverted and explained (specification §8)', async () => {
    await show();
    answer = async () => Response.json({ message: '지금은 안 돼요' }, { status: 409 });
    press('KeyB');
    await pass(10);
    expect(screen.getByRole('button', { name: '휴식' })).toBeTruthy();
    expect(toasts()).toEqual(['지금은 안 돼요']);
  });

  test('of code U001 is only logged (specification §8)', async () => {
    const logged = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    await show();
    answer = async () => Response.json({ message: '없음', errorCode: 'U001' }, { status: 404 });
    press('KeyB');
    await pass(10);
    expect(screen.getByRole('button', { name: '휴식' })).toBeTruthy();
    expect(toasts()).toEqual([]);
    expect(logged).toHaveBeenCalledOnce();
  });
});

test('before the first start there is no "away" (specification §4)', async () => {
  await show({ ...focusing, status: 'idle' });
  expect(screen.queryByRole('button', { name: '자리 비움' })).toBeNull();
  press('KeyA');
  expect(called).toEqual([]);
  press('KeyB');
  expect(called).toEqual(['/api/timer/start']);
});
