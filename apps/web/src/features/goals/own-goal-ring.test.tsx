import { HOUR_MS, type Today, type TodayGoal, UserId } from '@mogakgong/contract';
import { act, cleanup, screen } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { render } from '../../../testing/render.tsx';
import { queryClient } from '../../shared/api/query.ts';
import { chooseLanguage } from '../../shared/i18n/texts.ts';
import { takeToday } from '../../shared/today/today.ts';
import { notify } from '../../shared/ui/notify.ts';
import { OwnGoalRing } from './own-goal-ring.tsx';

const me = UserId.parse(1);
const NOW_MS = Date.UTC(2026, 10, 21, 3);
const goalOf = (targetMinutes: number): TodayGoal => ({
  targetMinutes,
  tasks: [],
  isVisible: false,
  weekMinutes: null,
  plan: [],
  exams: [],
});

/** Of a focusing learner. */
const todayWith = (focusMs: number): Today => ({
  todayStudyTime: focusMs / 1_000,
  day: '2026-11-21',
  timeZone: 'Asia/Seoul',
  focusMs,
  runningSinceMs: NOW_MS,
  dayStartsAtMs: NOW_MS - 12 * HOUR_MS,
  dayEndsAtMs: NOW_MS + 12 * HOUR_MS,
  serverNowMs: NOW_MS,
});

const ring = (goal: TodayGoal) => <OwnGoalRing userId={me} goal={goal} size={44} />;

// The texts are downloaded once, in real time.
beforeAll(async () => {
  await chooseLanguage('ko');
  await act(async () => void render(ring(goalOf(60))));
  await screen.findByRole('img');
  cleanup();
});
beforeEach(() => {
  queryClient.clear();
  for (const { id } of notify.state().toasts) notify.dismissToast(id);
  vi.useFakeTimers({ now: NOW_MS, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
});

const said = () => notify.state().toasts.map(({ text }) => text);
test('reaching today’s goal is announced once', async () => {
  takeToday(me, todayWith(HOUR_MS - 3_000));
  const { rerender } = render(ring(goalOf(60)));
  await vi.waitFor(() =>
    expect(screen.getByRole('img', { name: '목표 1시간 중 99%' })).toBeTruthy(),
  );
  expect(said()).toEqual([]);
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(said()).toEqual(['오늘 목표 1시간을 채웠어요.']);
  for (const { id } of notify.state().toasts) notify.dismissToast(id);
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  // A goal lowered below the time already studied does not count as reached by that.
  rerender(ring(goalOf(120)));
  rerender(ring(goalOf(30)));
  expect(said()).toEqual([]);
});

test('a goal reached before entering the room is not announced again', async () => {
  const { rerender } = render(ring(goalOf(60)));
  await act(async () => takeToday(me, todayWith(HOUR_MS + 1_000)));
  rerender(ring(goalOf(60)));
  await vi.waitFor(() =>
    expect(screen.getByRole('img', { name: '목표 1시간 중 100%' })).toBeTruthy(),
  );
  expect(said()).toEqual([]);
});
