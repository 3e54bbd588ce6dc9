import {
  HOUR_MS,
  type Leaderboard,
  type LeaderboardPerson,
  MINUTE_MS,
  RoomId,
  UserId,
} from '@mogakgong/contract';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { startFakeApi, UNAVAILABLE } from '../../../testing/fake-api.ts';
import { render } from '../../../testing/render.tsx';
import { LeaderboardSwitch } from '../../features/leaderboard/leaderboard-switch.tsx';
import { queryClient } from '../../shared/api/query.ts';
import { notify } from '../../shared/ui/notify.ts';
import type { RoomLiveState } from '../live/room-live.ts';
import { LeaderboardPanel } from './leaderboard-panel.tsx';

const NOW_MS = Date.UTC(2026, 10, 21, 3);
const BOARD = '/api/study-rooms/7/leaderboard';
const SETTING = '/api/user/settings/leaderboards';
const me = UserId.parse(1);

const person = (userId: number, minutes: number, level: LeaderboardPerson['level'] = 'candle') => ({
  userId: UserId.parse(userId),
  nickname: userId === 1 ? '김모각' : `이웃${userId}`,
  profileImage: '',
  level,
  focusMs: minutes * MINUTE_MS,
  runningSinceMs: null,
  dayEndsAtMs: NOW_MS + 12 * HOUR_MS,
});
const off: Leaderboard = { isOn: false, people: [], ownTotalMs: null, serverNowMs: NOW_MS };
const withPeople = (...people: LeaderboardPerson[]): Leaderboard => ({
  isOn: true,
  people,
  ownTotalMs: 28 * HOUR_MS,
  serverNowMs: NOW_MS,
});

beforeEach(() => {
  queryClient.clear();
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] });
});

async function show(answer: unknown) {
  const api = startFakeApi({ [BOARD]: answer, [SETTING]: { isOn: false } });
  const store = createStore<RoomLiveState>(() => ({ members: [] }) as unknown as RoomLiveState);
  const live = { userId: me, roomId: RoomId.parse(7), store };
  await act(async () => render(<LeaderboardPanel live={live} onClose={vi.fn()} />));
  return { ...api, change: () => act(async () => store.setState({ members: [] })) };
}
const rows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent);

test('a learner who is not shown reads an explanation, and sees nobody until they switch it on', async () => {
  const { answers, sent } = await show(off);
  const button = await screen.findByRole('button', { name: '켜고 보기' });
  expect(screen.queryByRole('list', { name: '오늘 집중한 시간' })).toBeNull();
  answers[BOARD] = withPeople(person(1, 20), person(2, 90));
  answers[SETTING] = { isOn: true };
  button.focus();
  fireEvent.click(button);
  fireEvent.click(button);
  const list = await screen.findByRole('list', { name: '오늘 집중한 시간' });
  // Not lost with the button.
  await vi.waitFor(() => expect(document.activeElement?.contains(list)).toBe(true));
  expect(document.activeElement).not.toBe(document.body);
  expect(sent.filter(({ path }) => path === SETTING)).toEqual([
    { path: SETTING, body: { isOn: true } },
  ]);
});

test('a shown learner can end that at once, also while other answers are pending', async () => {
  const { answers, sent } = await show(off);
  // Its answer is awaited: the setting is reloaded too.
  await act(async () => render(<LeaderboardSwitch userId={me} />));
  answers[BOARD] = withPeople(person(1, 20));
  const settingAnswers = [Response.json({ isOn: true }), new Promise(() => undefined)];
  answers[SETTING] = () => settingAnswers.shift() ?? Response.json({ isOn: false });
  fireEvent.click(await screen.findByRole('button', { name: '켜고 보기' }));
  fireEvent.click(await screen.findByRole('button', { name: '리더보드 끄기' }));
  await vi.waitFor(() =>
    expect(sent.flatMap(({ body }) => body ?? [])).toEqual([{ isOn: true }, { isOn: false }]),
  );
});

test('each row has level and today’s time, and in a group of three no rank', async () => {
  await show(withPeople(person(1, 0), person(2, 90, 'lantern'), person(3, 150)));
  await screen.findByRole('list', { name: '오늘 집중한 시간' });
  expect(rows()).toEqual([
    expect.stringMatching(/촛불.*이웃32시간 30분$/u),
    expect.stringMatching(/등불.*이웃21시간 30분$/u),
    expect.stringMatching(/촛불.*김모각 \(나\)오늘 기록 없음$/u),
  ]);
  expect(screen.getByText('다음 단계 등잔까지 2시간')).toBeTruthy();
  const own = screen.getAllByRole('listitem').find((row) => row.hasAttribute('aria-current'));
  expect(own?.textContent).toContain('김모각');
});

test('a learner in their first minute of focus has a record of today', async () => {
  await show(withPeople(person(1, 20), { ...person(2, 0), runningSinceMs: NOW_MS }));
  await screen.findByRole('list', { name: '오늘 집중한 시간' });
  expect(rows()).toEqual([expect.stringMatching(/20분$/u), expect.stringMatching(/이웃20분$/u)]);
});

test('of many the rows near the learner are shown, and all by a press', async () => {
  const neighbours = Array.from({ length: 19 }, (_, index) => person(index + 2, 10 * (index + 1)));
  await show(withPeople(person(1, 95), ...neighbours));
  await screen.findByRole('list', { name: '오늘 집중한 시간' });
  expect(rows()).toHaveLength(7);
  expect(rows()[3]).toContain('김모각');
  fireEvent.click(screen.getByRole('button', { name: '모두 보기 (20명)' }));
  expect(rows()).toHaveLength(20);
  expect(rows()[0]).toMatch(/1위$/u);
  expect(rows().filter((row) => /위$/u.test(row ?? ''))).toHaveLength(10);
});

test('it is loaded again when the members of the room change', async () => {
  const { answers, change } = await show(withPeople(person(1, 20), person(2, 90)));
  const list = await screen.findByRole('list', { name: '오늘 집중한 시간' });
  expect(within(list).getByText('이웃2')).toBeTruthy();
  answers[BOARD] = withPeople(person(1, 20));
  await change();
  await vi.waitFor(() => expect(within(list).queryByText('이웃2')).toBeNull(), { timeout: 3_000 });
  expect(screen.getByText(/아직 리더보드를 켠 다른 사람이 없어요/u)).toBeTruthy();
});

test('a switch that fails says so and changes nothing', async () => {
  const { answers } = await show(withPeople(person(1, 20)));
  answers[SETTING] = UNAVAILABLE;
  fireEvent.click(await screen.findByRole('button', { name: '리더보드 끄기' }));
  await vi.waitFor(() => expect(notify.state().toasts).not.toHaveLength(0));
  expect(screen.getByText('김모각 (나)')).toBeTruthy();
});
