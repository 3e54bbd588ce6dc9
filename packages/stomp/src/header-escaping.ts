import { StompProtocolError, type StompVersion } from './frame.ts';

/**
 * How header text is escaped. 1.0 knows no escapes; 1.1 escapes LF, colon and backslash;
 * 1.2 also CR (STOMP 1.1 and 1.2 "Value Encoding").
 */
export type Escaping = 'none' | '1.1' | '1.2';

const NEVER_ESCAPED = new Set(['CONNECT', 'STOMP', 'CONNECTED']);

/**
 * CONNECT and CONNECTED are never escaped, so that a 1.0 peer can read them.
 * STOMP is read in the same manner as CONNECT, and clients write it so (stomp.py).
 */
export function escapingOf(command: string, version: StompVersion | undefined): Escaping {
  if (version === '1.0' || NEVER_ESCAPED.has(command)) return 'none';
  return version ?? '1.2';
}

const SPECIAL = /[\\\n\r:\0]/;
const SPECIALS = /[\\\n\r:\0]/g;
const ESCAPES = new Map([
  ['\\', '\\\\'],
  ['\n', '\\n'],
  [':', '\\c'],
]);

function escapeCharacter(character: string, escaping: Escaping, isName: boolean): string {
  // NUL ends a frame and no version can escape it.
  if (character === '\0') return ' ';
  if (escaping === 'none') {
    if (character === '\n' || character === '\r' || (character === ':' && isName)) return ' ';
    return character;
  }
  if (character === '\r') return escaping === '1.2' ? '\\r' : ' ';
  return ESCAPES.get(character) ?? character;
}

/** Text for one header name or value. A character the version cannot carry becomes a space. */
export function escapeHeader(text: string, escaping: Escaping, isName = false): string {
  if (!SPECIAL.test(text)) return text;
  return text.replace(SPECIALS, (character) => escapeCharacter(character, escaping, isName));
}

const UNESCAPES = new Map([
  ['\\\\', '\\'],
  ['\\n', '\n'],
  ['\\c', ':'],
  ['\\r', '\r'],
]);

/** Reverses {@link escapeHeader}; throws StompProtocolError on an escape the version does not define. */
export function unescapeHeader(text: string, escaping: Escaping): string {
  if (escaping === 'none' || !text.includes('\\')) return text;
  return text.replace(/\\[\s\S]?/g, (sequence) => {
    const character = UNESCAPES.get(sequence);
    if (character === undefined || (character === '\r' && escaping === '1.1')) {
      throw new StompProtocolError('undefined escape sequence in a header');
    }
    return character;
  });
}
