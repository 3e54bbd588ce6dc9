import { HOUR_MS } from '@mogakgong/contract';
import { act, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { logIn } from '../../../testing/log-in.ts';
import { showPage } from '../../../testing/show-page.tsx';
import { queryClient } from '../../shared/api/query.ts';
import { PlanPage } from './plan-page.tsx';

const DAY = '2026-11-21';

beforeEach(() => {
  logIn();
  queryClient.clear();
});

test('the weekly goal runs on while focus does', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const nowMs = Date.now();
  await showPage(<PlanPage />, {
    '/api/user/stat/today-study-time': {
      ...{ todayStudyTime: 0, day: DAY, timeZone: 'Asia/Seoul', focusMs: 0 },
      ...{ runningSinceMs: nowMs, serverNowMs: nowMs },
      ...{ dayStartsAtMs: nowMs - HOUR_MS, dayEndsAtMs: nowMs + 12 * HOUR_MS },
    },
    '/api/goals/today': {
      ...{ day: DAY, version: 1, targetMinutes: null, weekMinutes: 600, isVisible: false },
      ...{ tasks: [], plan: [], exams: [] },
    },
    '/api/statistics/days': {
      today: DAY,
      days: [{ day: '2026-11-20', focusMs: HOUR_MS - 30_000, awayMs: 0, manualMs: 0 }],
    },
  });
  const week = () => screen.getByRole('region', { name: '주간 목표' }).textContent;
  await vi.waitFor(() => expect(week()).toContain('59분 / 10시간'));
  await act(() => vi.advanceTimersByTimeAsync(45_000));
  expect(week()).toContain('1시간 / 10시간');
});
