import { expect, test } from 'vitest';
import { dateFormat } from './date-format.ts';

const AT_MS = Date.UTC(2026, 10, 21, 3, 30);
const style = { dateStyle: 'medium', timeStyle: 'short' } as const;

test('a time is in the requested zone', () => {
  const format = dateFormat('ko', { ...style, timeZone: 'Pacific/Kiritimati' });
  expect(format.format(AT_MS)).toBe('2026. 11. 21. 오후 5:30');
});

test('a time is in the computer’s zone where the browser does not know the requested one', () => {
  const here = new Intl.DateTimeFormat('ko', style).format(AT_MS);
  expect(dateFormat('ko', { ...style, timeZone: 'Mars/Olympus' }).format(AT_MS)).toBe(here);
});

test('any other invalid option is an error', () => {
  expect(() => dateFormat('not a language', style)).toThrow(RangeError);
});
