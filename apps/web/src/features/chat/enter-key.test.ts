import { expect, test } from 'vitest';
import { sendsMessage } from './enter-key.ts';

const enter = { key: 'Enter', keyCode: 13, shiftKey: false, isComposing: false };

test.each([
  ['Enter', enter, true],
  ['Shift+Enter begins a line', { ...enter, shiftKey: true }, false],
  ['the Enter that ends a syllable', { ...enter, keyCode: 229, isComposing: true }, false],
  ['the same in Safari, which ended the composition before', { ...enter, keyCode: 229 }, false],
  ['the same where only the composition is told', { ...enter, isComposing: true }, false],
  ['another key', { ...enter, key: 'a', keyCode: 65 }, false],
])('%s', (_, press, sends) => {
  expect(sendsMessage(press)).toBe(sends);
});
