interface KeyPress {
  readonly key: string;
  readonly keyCode: number;
  readonly shiftKey: boolean;
  readonly isComposing: boolean;
}

/** What browsers report as `keyCode` of a key that the input method takes. */
const TAKEN_BY_INPUT_METHOD = 229;

/**
 * Whether a key press sends the message. Not with Shift, which makes a new line, and never the Enter
 * that ends a Hangul syllable: Safari ends the composition before it tells of that key, so only the
 * key code gives it away.
 */
export function sendsMessage({ key, keyCode, shiftKey, isComposing }: KeyPress): boolean {
  return key === 'Enter' && !shiftKey && !isComposing && keyCode !== TAKEN_BY_INPUT_METHOD;
}
