import { HOUR_MS, type StudyDays, type Today, UserId } from '@mogakgong/contract';
import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { logIn } from '../../../testing/log-in.ts';
import { showPage } from '../../../testing/show-page.tsx';
import { WeekSoFar } from './week-so-far.tsx';

/** A Saturday, 12:00 in Seoul. */
const NOW_MS = Date.UTC(2026, 10, 21, 3);
const today: Today = {
  todayStudyTime: 3_600,
  day: '2026-11-21',
  timeZone: 'Asia/Seoul',
  focusMs: HOUR_MS,
  manualMs: HOUR_MS / 2,
  runningSinceMs: null,
  dayStartsAtMs: NOW_MS - 12 * HOUR_MS,
  dayEndsAtMs: NOW_MS + 12 * HOUR_MS,
  serverNowMs: NOW_MS,
};
const days = [{ day: '2026-11-21', focusMs: HOUR_MS, awayMs: 0, manualMs: HOUR_MS / 2 }];

beforeEach(() => void vi.useFakeTimers({ now: NOW_MS, toFake: ['Date'] }));

async function show(known: Today, figures: StudyDays['days']) {
  logIn();
  await showPage(
    <section aria-label="week">
      <WeekSoFar userId={UserId.parse(1)} today={known} weekMinutes={600} />
    </section>,
    { '/api/statistics/days': { today: known.day, days: figures } },
  );
  const week = await screen.findByRole('region', { name: 'week' });
  await vi.waitFor(() => expect(week.textContent).toContain('10시간'));
  return week;
}

test('the week stands against its target and day by day, with forgotten time marked in both', async () => {
  const week = await show(today, days);
  expect(week.textContent).toMatch(/^주간 목표1시간 \/ 10시간 · 10%\+ 직접 입력 30분/u);
  expect(week.textContent).toContain('직접 입력30분');
  const striped = week.querySelectorAll('[style].by-hand');
  expect(striped).toHaveLength(2);
});

test('without time this week there are no bars of days', async () => {
  const week = await show({ ...today, focusMs: 0, manualMs: 0 }, []);
  expect(week.textContent).toBe('주간 목표0분 / 10시간 · 0%');
  expect(screen.queryByRole('slider')).toBeNull();
});
