import { chatContent } from './chat.ts';

/**
 * A short text as it is stored: one line, trimmed, without invisible characters and direction controls; null
 * when nothing is left or it is longer than `maxLength` characters. Names of learners and rooms, which must
 * not look like others, are refused more strictly by `isReadableLine`.
 */
export function oneLine(text: string, maxLength: number): string | null {
  const line = chatContent(text.replace(/\s+/gu, ' '));
  return line !== null && [...line].length <= maxLength ? line : null;
}
