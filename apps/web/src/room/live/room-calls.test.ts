import { type Today, UserId } from '@mogakgong/contract';
import { expect, test, vi } from 'vitest';
import { startFakeApi, UNAVAILABLE } from '../../../testing/fake-api.ts';
import { storeAccessToken } from '../../shared/api/index.ts';
import { knownToday, takeToday } from '../../shared/today/today.ts';
import { leaveStudyRoom } from './room-calls.ts';

const me = UserId.parse(1);
const nowMs = Date.now();
const running: Today = {
  todayStudyTime: 60,
  day: '2026-11-21',
  timeZone: 'Asia/Seoul',
  focusMs: 60_000,
  runningSinceMs: nowMs - 5_000,
  dayStartsAtMs: nowMs - 3_600_000,
  dayEndsAtMs: nowMs + 3_600_000,
  serverNowMs: nowMs,
};

test('today’s time stops at once, and is loaded again whether or not the seat is given up', async () => {
  storeAccessToken('t');
  takeToday(me, running);
  const api = startFakeApi({
    '/api/study-room/leave': UNAVAILABLE,
    '/api/user/stat/today-study-time': { ...running, serverNowMs: nowMs + 60_000 },
  });
  const leaving = leaveStudyRoom(me);
  expect(knownToday(me)?.runningSinceMs).toBeNull();
  await expect(leaving).rejects.toThrow();
  await vi.waitFor(() => expect(knownToday(me)?.runningSinceMs).toBe(nowMs - 5_000));
  expect(api.asked.at(-1)).toBe('GET /api/user/stat/today-study-time');
});
