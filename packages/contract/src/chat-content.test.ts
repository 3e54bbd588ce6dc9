import { describe, expect, it } from 'vitest';
import { chatContent } from './chat.ts';

describe('the content of a chat message', () => {
  it.each([
    ['spaces', ' \n\t\u3000 '],
    ['zero-width signs', '\u200B\u200C\u200D\u2060\uFEFF'],
    ['fillers of Hangul and Braille', '\u3164\u115F\u1160\uFFA0\u2800'],
    ['marks without a letter', '\u0301\u0301\u034F\uFE0F'],
    ['soft hyphens and tags', '\u00AD\u{E0041}\u{E007F}'],
    ['controls', '\0\u0007\u202E\u2066\u2069'],
  ])('is nothing when it is only %s', (_what, text) => {
    expect(chatContent(text)).toBeNull();
  });

  it.each([
    ['a heart with its selector', '❤️'],
    ['a family', '👨‍👩‍👧'],
    ['a flag', '🇰🇷'],
    ['a sign newer than this program', '\u{1FAF8}\u{1FAFF}'],
    ['a jamo', 'ㅋ'],
    ['decomposed Hangul', '가'.normalize('NFD')],
    ['Persian with a non-joiner', 'می‌خواهم'],
    ['Hebrew with a direction mark', 'שלום\u200F!'],
    ['a single dot', '.'],
  ])('keeps %s as it is', (_what, text) => {
    expect(chatContent(text)).toBe(text);
  });

  it('is trimmed, and loses what draws nothing or cannot be stored', () => {
    expect(chatContent('  같이\0 공부해요\r\n\u0007\uFFFE!\t ')).toBe('같이 공부해요\n!');
  });

  it('is whole characters: what is stored is what was shown', () => {
    expect(chatContent('a\uD800b')).toBe('a\uFFFDb');
  });

  it('cannot reverse the text after it', () => {
    expect(chatContent('\u202Eevil\u202C and \u2067more')).toBe('evil and more');
  });

  it('has two blank lines in a row at most, whatever they are made of', () => {
    expect(chatContent('a\n\n\nb')).toBe('a\n\n\nb');
    expect(chatContent('a\n\n\n\n\n\nb\n\n\n\nc\n\nd')).toBe('a\n\n\nb\n\n\nc\n\nd');
    expect(chatContent('a\r\n \r\n\t\r\n\u200B\r\n\u3164\r\nb')).toBe('a\n\n\nb');
    expect(chatContent('a\u2028\u2029\u2028\u2029b')).toBe('a\n\n\nb');
  });

  it('takes time in proportion to its length', () => {
    const hostile = `${'\n \uFEFF'.repeat(2)}${' \u200B\uFEFF'.repeat(8_000)}x`.repeat(20);
    const startedMs = performance.now();
    chatContent(hostile);
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });
});
