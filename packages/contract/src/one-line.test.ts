import { expect, it } from 'vitest';
import { oneLine } from './one-line.ts';

it.each([
  ['is one line', ' 수학\r\n\t  문제 ', '수학 문제'],
  ['loses what reverses the text after it', '\u202E수학', '수학'],
  ['has at most five characters, not code units', '📚📚📚📚📚', '📚📚📚📚📚'],
  ['is null when longer', '수학 문제 풀이', null],
  ['is null when nothing is left', ' \u200B\n', null],
])('a short text %s', (_rule, text, stored) => {
  expect(oneLine(text, 5)).toBe(stored);
});
