import { UserId } from '@mogakgong/contract';
import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { UNAVAILABLE } from '../../../testing/fake-api.ts';
import { LEARNER, logIn } from '../../../testing/log-in.ts';
import { showPage } from '../../../testing/show-page.tsx';
import { loadToday } from '../../shared/today/today.ts';
import { TodayTime } from './today-time.tsx';

const PATH = '/api/user/stat/today-study-time';
const NOON_MS = Date.UTC(2026, 10, 21, 3);
const today = {
  todayStudyTime: 3_600,
  day: '2026-11-21',
  timeZone: 'Asia/Seoul',
  focusMs: 3_600_000,
  runningSinceMs: null,
  dayStartsAtMs: NOON_MS - 12 * 3_600_000,
  dayEndsAtMs: NOON_MS + 12 * 3_600_000,
  serverNowMs: NOON_MS,
};

const me = UserId.parse(LEARNER.userId);

test('zeros of a time that could not be loaded are marked until it is known', async () => {
  logIn();
  const { answers } = await showPage(<TodayTime userId={me} />, {
    [PATH]: UNAVAILABLE,
  });
  await screen.findByRole('img', { name: '불러오지 못했어요' });
  expect(screen.getByRole('timer').textContent).toBe('00:00:00');
  answers[PATH] = today;
  await act(() => loadToday(me));
  await vi.waitFor(() => expect(screen.getByRole('timer').textContent).toBe('01:00:00'));
  expect(screen.queryByRole('img')).toBeNull();
});
