import {
  type FocusClock,
  followSchedule,
  type PomodoroSchedule,
  RoomId,
  UserId,
} from '@mogakgong/contract';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { render } from '../../../testing/render.tsx';
import { chooseLanguage } from '../../shared/i18n/texts.ts';
import { storageKeys } from '../../shared/lib/storage-keys.ts';
import { changeOwnClock } from '../../shared/today/today.ts';
import { notify } from '../../shared/ui/notify.ts';
import { announceSchedule } from './announce-schedule.ts';
import { endedPhase, PhaseSignal } from './phase-signal.tsx';
import { PomodoroChip, PomodoroMark } from './pomodoro-chip.tsx';
import { PomodoroSection } from './pomodoro-section.tsx';

const START_MS = Date.UTC(2026, 10, 21, 9, 0, 0);
const ROOM = RoomId.parse(3);
const schedule: PomodoroSchedule = { focusMinutes: 25, breakMinutes: 5, startedAtMs: START_MS };

let lastUser = 0;
let me: UserId;
let mayEnd: boolean | undefined;
const asked: { method: string; body: unknown }[] = [];

// The texts are downloaded once, in real time.
beforeAll(async () => {
  await chooseLanguage('ko');
  await act(async () => {
    render(
      <PomodoroSection
        userId={UserId.parse(999)}
        roomId={ROOM}
        schedule={null}
        members={null}
        hostId={null}
      />,
    );
  });
  await screen.findByRole('heading', { name: '방 뽀모도로' });
  cleanup();
});
beforeEach(() => {
  lastUser += 1;
  me = UserId.parse(lastUser);
  asked.length = 0;
  changeOwnClock(me, { kind: 'closed' });
  mayEnd = true;
  vi.useFakeTimers({ now: START_MS, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    const body = init.body && JSON.parse(String(init.body));
    asked.push({ method: init.method ?? '', body });
    if (address === followSchedule.path) {
      return Response.json({ clock: clockWith(body.startedAtMs), serverNowMs: START_MS });
    }
    return Response.json({ roomId: ROOM, schedule, mayEnd, serverNowMs: START_MS });
  });
});

/** The learner's clock, which follows the schedule with this beginning. */
const clockWith = (startedAtMs: number | null): FocusClock => ({
  ...{ status: 'focus', focusMs: 0, awayMs: 0, sinceMs: START_MS },
  ...(startedAtMs !== null && { schedule: { ...schedule, startedAtMs } }),
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

async function show(shown: PomodoroSchedule | null, roomId = ROOM) {
  const view = render(
    <>
      <PomodoroSection userId={me} roomId={roomId} schedule={shown} members={null} hostId={null} />
      <PomodoroChip userId={me} roomId={roomId} schedule={shown} />
      <PhaseSignal userId={me} roomId={roomId} schedule={shown} />
      <div data-mark="">{shown && <PomodoroMark schedule={shown} />}</div>
    </>,
  );
  await pass(10);
  return view;
}

const follow = async () => {
  fireEvent.click(screen.getByLabelText('참여하기'));
  await pass(10);
};

test('one press starts a preset for the room, and its starter follows it', async () => {
  const { rerender } = await show(null);
  fireEvent.click(screen.getByRole('button', { name: '50 / 10: 집중 50분, 휴식 10분' }));
  await pass(10);
  expect(asked).toEqual([
    { method: 'PUT', body: { focusMinutes: 50, breakMinutes: 10 } },
    { method: 'PUT', body: { userId: me, roomId: ROOM, startedAtMs: START_MS } },
  ]);
  rerender(<PomodoroChip userId={me} roomId={ROOM} schedule={schedule} />);
  expect(screen.getByText('25:00')).toBeTruthy();
});

test('an older API, which does not say who may end it, starts one too', async () => {
  mayEnd = undefined;
  const { rerender } = await show(null);
  fireEvent.click(screen.getByRole('button', { name: '50 / 10: 집중 50분, 휴식 10분' }));
  await pass(10);
  rerender(<PomodoroChip userId={me} roomId={ROOM} schedule={schedule} />);
  expect(screen.getByText('25:00')).toBeTruthy();
});

test('own lengths are checked before they are sent', async () => {
  await show(null);
  fireEvent.click(screen.getByRole('button', { name: '직접 정하기' }));
  fireEvent.change(screen.getByLabelText('집중 (분)'), { target: { value: '999' } });
  fireEvent.click(screen.getByRole('button', { name: '시작' }));
  expect(screen.getByRole('alert').textContent).toContain('1~180분');
  expect(asked).toEqual([]);
  fireEvent.change(screen.getByLabelText('집중 (분)'), { target: { value: '40' } });
  fireEvent.click(screen.getByRole('button', { name: '시작' }));
  await pass(10);
  expect(asked[0]).toEqual({ method: 'PUT', body: { focusMinutes: 40, breakMinutes: 15 } });
});

test('the schedule is off for everybody until they follow it, and then remembered', async () => {
  const { unmount } = await show(schedule);
  expect(screen.getByText('25:00 남음')).toBeTruthy();
  expect(screen.queryByText('25:00')).toBeNull();
  expect(document.querySelector('[data-mark]')?.textContent).toBe('뽀모도로 집중 중');
  await follow();
  expect(screen.getByText('25:00')).toBeTruthy();
  unmount();
  await show(schedule);
  expect(screen.getByText('25:00')).toBeTruthy();
});

test('a learner who may not end the schedule is told who may', async () => {
  const { unmount } = await show(schedule);
  expect(screen.getByRole('button', { name: '뽀모도로 끝내기' })).toBeTruthy();
  unmount();
  mayEnd = false;
  await show(schedule, RoomId.parse(5));
  expect(screen.queryByRole('button', { name: '뽀모도로 끝내기' })).toBeNull();
  expect(screen.getByText(/^시작한 사람이나 방장만/u)).toBeTruthy();
});

test.each([
  ['the starter has left', [2, 3], [3], null],
  ['the learner hosts the room', [2, 3], [2, 3], 3],
])('the right to end it is asked for again when %s', async (_, before, after, host) => {
  const seated = (ids: readonly number[]) => ids.map((id) => ({ userId: UserId.parse(id) }));
  const section = (ids: readonly number[], hostId: UserId | null) => (
    <PomodoroSection
      userId={me}
      roomId={ROOM}
      schedule={schedule}
      members={seated(ids)}
      hostId={hostId}
    />
  );
  mayEnd = false;
  const { rerender } = render(section(before, null));
  await pass(10);
  expect(screen.getByText(/^시작한 사람이나 방장만/u)).toBeTruthy();
  mayEnd = true;
  // Other changes of the members, such as their clocks, cause no request.
  rerender(section(before, null));
  await pass(10);
  expect(asked).toHaveLength(1);
  rerender(section(after, host === null ? null : UserId.parse(host)));
  await pass(10);
  expect(asked).toHaveLength(2);
  expect(screen.getByRole('button', { name: '뽀모도로 끝내기' })).toBeTruthy();
});

test('a schedule started by another learner is announced with their name and an invitation', async () => {
  const toasts = () => notify.state().toasts;
  for (const { id } of toasts()) notify.dismissToast(id);
  const change = { userId: me, roomId: ROOM, schedule, name: '지우' };
  await announceSchedule(change);
  expect(toasts().at(-1)).toMatchObject({ text: '지우님이 25/5 뽀모도로를 시작했어요.' });
  toasts().at(-1)?.action?.onPress();
  await pass(10);
  await show(schedule);
  expect(screen.getByLabelText<HTMLInputElement>('참여하기').checked).toBe(true);
  // Nothing is left to join.
  expect(toasts()).toEqual([]);
  // A follower is not told; a blocked person's name is not shown.
  const count = toasts().length;
  await announceSchedule(change);
  expect(toasts()).toHaveLength(count);
  const next = { ...schedule, startedAtMs: START_MS + 1_000 };
  await announceSchedule({ ...change, schedule: next, name: undefined });
  expect(toasts().at(-1)).toMatchObject({
    text: '누군가 25/5 뽀모도로를 시작했어요.',
    action: { label: '참여하기' },
  });
  await announceSchedule({ ...change, schedule: null });
  expect(toasts().map(({ text }) => text)).toEqual([
    '지우님이 뽀모도로를 끝냈어요. 내 타이머는 그대로예요.',
  ]);
});

test('one press in the bar joins a running schedule, and the focus stays there', async () => {
  await show(schedule);
  const join = screen.getByRole('button', { name: /^뽀모도로 \d+\/\d+ 참여하기$/u });
  join.focus();
  fireEvent.click(join);
  await pass(10);
  expect(screen.getByText('25:00')).toBeTruthy();
  expect(document.querySelector('[data-mark]')?.textContent).toBe('');
  expect(document.activeElement?.textContent).toContain('25:00');
});

test('following ends with the schedule, and nothing of it is stored in the browser', async () => {
  const { unmount } = await show(schedule);
  await follow();
  expect(screen.getByText('25:00')).toBeTruthy();
  unmount();
  const next = { ...schedule, startedAtMs: START_MS + 1_000 };
  await show(next);
  expect(screen.getByLabelText<HTMLInputElement>('참여하기').checked).toBe(false);
  await follow();
  expect(screen.getByLabelText<HTMLInputElement>('참여하기').checked).toBe(true);
  expect(localStorage.getItem(storageKeys.pomodoro) ?? '').not.toContain(String(next.startedAtMs));
  const over = { ...next, endedAtMs: next.startedAtMs + 1 };
  const clock = { ...clockWith(null), schedule: over };
  act(() => changeOwnClock(me, { kind: 'present', clock }));
  expect(screen.getByLabelText<HTMLInputElement>('참여하기').checked).toBe(false);
});

test('leaving a schedule is one press', async () => {
  await show(schedule);
  await follow();
  await follow();
  expect(asked.at(-1)?.body).toMatchObject({ startedAtMs: null });
  expect(screen.getByLabelText<HTMLInputElement>('참여하기').checked).toBe(false);
});

test('the end of a phase is signalled to followers: a toast and the title of the page', async () => {
  await show(schedule);
  await follow();
  await pass(25 * 60_000 - 100);
  expect(document.title).not.toContain('휴식 시간');
  await pass(1_200);
  expect(notify.state().toasts.map(({ text }) => text)).toContain(
    '집중 시간이 끝났어요. 5분 쉬어요.',
  );
  expect(document.title).toContain('휴식 시간');
  expect(screen.getByText('휴식 1회차')).toBeTruthy();
  await pass(15_000);
  expect(document.title).not.toContain('휴식 시간');
  await pass(5 * 60_000);
  const said = notify.state().toasts.map(({ text }) => text);
  expect(said).toContain('휴식이 끝났어요. 다시 시작할 시간이에요.');
  expect(said).not.toContain('집중 시간이 끝났어요. 5분 쉬어요.');
});

test.each([
  ['the end of the focus phase', 24.98, 25, 'focus'],
  ['the end of the break', 29.98, 30, 'break'],
  ['in a hidden page that ticks once a minute', 24.98, 26.02, 'focus'],
  ['nothing between two ends', 25, 25.02, undefined],
  ['nothing that a sleeping computer missed', 24, 28, undefined],
  ['what follows a sleep', 28, 30, 'break'],
])('a phase ends once: %s', (_, before, now, kind) => {
  const at = (minutes: number) => START_MS + minutes * 60_000;
  expect(endedPhase(schedule, at(before), at(now))?.kind).toBe(kind);
});

test('others get no signal', async () => {
  for (const { id } of notify.state().toasts) notify.dismissToast(id);
  await show(schedule);
  await pass(25 * 60_000 + 1_200);
  expect(notify.state().toasts).toEqual([]);
});

test('the browser is asked for notifications only when they are switched on', async () => {
  const requestPermission = vi.fn(async () => {
    browser.permission = 'denied';
  });
  const browser = { permission: 'default', requestPermission };
  vi.stubGlobal('Notification', browser);
  await show(schedule);
  await follow();
  expect(requestPermission).not.toHaveBeenCalled();
  fireEvent.click(screen.getByLabelText('끝날 때 다른 창을 보고 있으면 알림'));
  await pass(10);
  expect(requestPermission).toHaveBeenCalledOnce();
  expect(screen.getByRole('alert').textContent).toContain('막고 있어요');
  expect(
    screen.getByLabelText<HTMLInputElement>('끝날 때 다른 창을 보고 있으면 알림').checked,
  ).toBe(false);
});
