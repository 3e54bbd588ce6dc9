import { addDays, weekdayOf } from '@mogakgong/contract';
import { describe, expect, test } from 'vitest';
import { dayLabel } from '../../shared/i18n/date-format.ts';
import {
  figuresByDay,
  HEATMAP_WEEKS,
  heatmapWeeks,
  monthOf,
  sumOf,
  weekOf,
  yearAround,
} from './study-days.ts';

describe('days', () => {
  test('follow each other over months, years and leap days', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29');
  });

  test('belong to weeks that begin on Monday', () => {
    expect(weekdayOf('2026-11-16')).toBe(0);
    expect(weekdayOf('2026-11-22')).toBe(6);
    expect(weekOf('2026-11-21')).toEqual([
      '2026-11-16',
      '2026-11-17',
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
      '2026-11-21',
      '2026-11-22',
    ]);
    expect(weekOf('2026-11-22')).toEqual(weekOf('2026-11-16'));
  });

  test('belong to months of their own length', () => {
    expect(monthOf('2026-02-10')).toHaveLength(28);
    expect(monthOf('2028-02-10')).toHaveLength(29);
    expect(monthOf('2026-11-30')).toHaveLength(30);
    expect(monthOf('2026-12-01').at(-1)).toBe('2026-12-31');
  });

  test('are named in the reader’s language, whatever zone the computer is in', () => {
    expect(dayLabel('2026-11-21', 'ko')).toBe('11월 21일 (토)');
    expect(dayLabel('2026-11-21', 'en', { weekday: 'long' })).toBe('Saturday');
  });
});

describe('the year', () => {
  test.each(['2026-11-16', '2026-11-21', '2026-11-22'])('ends with %s', (today) => {
    const weeks = heatmapWeeks(today);
    const days = weeks.flat();
    expect(weeks).toHaveLength(HEATMAP_WEEKS);
    expect(days.at(-1)).toBe(today);
    expect(new Set(days).size).toBe(days.length);
    expect(days.slice(1)).toEqual(days.slice(0, -1).map((day) => addDays(day, 1)));
    expect(weeks.every(([first = '']) => weekdayOf(first) === 0)).toBe(true);
  });

  test('is covered by the request, in every zone and with every start of the day', () => {
    for (const offsetHours of [-12 - 6, 0, 9, 14]) {
      for (const nowMs of [Date.UTC(2026, 10, 21, 0, 1), Date.UTC(2028, 1, 29, 23, 59)]) {
        const today = new Date(nowMs + offsetHours * 3_600_000).toISOString().slice(0, 10);
        const { from, to } = yearAround(nowMs);
        expect(from <= (heatmapWeeks(today)[0]?.[0] ?? '')).toBe(true);
        expect(to >= today).toBe(true);
        expect(addDays(from, 365)).toBe(to);
      }
    }
  });
});

test('days without a row have no figures', () => {
  const lookUp = figuresByDay([
    { day: '2026-11-20', focusMs: 60_000, awayMs: 5_000, manualMs: 7_000 },
  ]);
  expect(lookUp('2026-11-19')).toEqual({ day: '2026-11-19', focusMs: 0, awayMs: 0, manualMs: 0 });
  expect(sumOf(['2026-11-19', '2026-11-20'].map(lookUp))).toEqual({
    focusMs: 60_000,
    awayMs: 5_000,
    manualMs: 7_000,
  });
});
