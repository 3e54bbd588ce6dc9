import type { Timetable } from '@mogakgong/contract';
import { expect, test } from 'vitest';
import { momentOf } from './manual-form.tsx';

const dayOf = (begins: string, hours: number, timeZone: string): Timetable => {
  const dayStartsAtMs = Date.parse(begins);
  return {
    ...{ isOpen: true, timeZone, dayStartsAtMs, dayEndsAtMs: dayStartsAtMs + hours * 3_600_000 },
    ...{ parts: [], subjects: [] },
  };
};

test.each([
  [
    'of a day from midnight',
    dayOf('2026-11-27T00:00+09:00', 24, 'Asia/Seoul'),
    '13:30',
    '2026-11-27T13:30+09:00',
  ],
  [
    'of a day from five, the same date',
    dayOf('2026-11-27T05:00+09:00', 24, 'Asia/Seoul'),
    '05:00',
    '2026-11-27T05:00+09:00',
  ],
  [
    'of a day from five, the next date',
    dayOf('2026-11-27T05:00+09:00', 24, 'Asia/Seoul'),
    '01:30',
    '2026-11-28T01:30+09:00',
  ],
  [
    'after clocks were set to summer time',
    dayOf('2027-03-14T00:00-05:00', 23, 'America/New_York'),
    '13:00',
    '2027-03-14T13:00-04:00',
  ],
  [
    'after clocks were set back',
    dayOf('2026-11-01T00:00-04:00', 25, 'America/New_York'),
    '13:00',
    '2026-11-01T13:00-05:00',
  ],
])('a time %s', (_, day, time, expected) => {
  expect(momentOf(day, time)).toBe(Date.parse(expected));
});
