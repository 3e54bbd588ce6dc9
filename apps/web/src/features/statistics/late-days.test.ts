import { expect, it } from 'vitest';
import { lateDays } from './late-day-offer.tsx';
import type { VisitPage } from './use-visits.ts';

const NOW_MS = Date.parse('2026-11-21T02:00:00+09:00');

/** The late days of focus, or another status, between two local times of Seoul; without an end it runs. */
function lateOf(from: string, to: string | null, status = 'focus') {
  const ms = (time: string) => Date.parse(`${time}:00+09:00`);
  const interval = { status, startedAtMs: ms(from), endedAtMs: to && ms(to) };
  const visits = [{ intervals: [interval] }] as unknown as VisitPage['visits'];
  return lateDays({ visits, serverNowMs: NOW_MS }, 'Asia/Seoul');
}

it.each([
  ['2026-11-20T23:30', '2026-11-21T00:30', ['2026-11-21']],
  ['2026-11-20T22:00', '2026-11-21T00:00', []],
  ['2026-11-20T04:59', '2026-11-20T06:00', ['2026-11-20']],
  ['2026-11-20T05:00', '2026-11-20T23:59', []],
  ['2026-11-20T23:00', null, ['2026-11-21']],
  ['2026-11-15T01:00', '2026-11-15T02:00', ['2026-11-15']],
  ['2026-11-14T01:00', '2026-11-14T02:00', []],
])('focus from %s to %s is late on %j', (from, to, days) => {
  expect(lateOf(from, to)).toEqual(days);
  expect(lateOf(from, to, 'pause')).toEqual([]);
});
