import type { HeaderEntries, StompVersion } from './frame.ts';
import { type Escaping, escapeHeader, escapingOf } from './header-escaping.ts';

const NO_BODY = Buffer.alloc(0);

/** One frame's bytes. Adds `content-length` if there is a body; do not pass it as a header. */
export function encodeFrame(
  command: string,
  headers: HeaderEntries,
  body: Uint8Array = NO_BODY,
  version?: StompVersion,
): Buffer {
  return joinFrame(encodeHead(command, headers, escapingOf(command, version)), body);
}

/** The command and header lines, without the blank line. */
export function encodeHead(command: string, headers: HeaderEntries, escaping: Escaping): string {
  let head = `${command}\n`;
  for (const [name, value] of headers) head += encodeHeader(name, value, escaping);
  return head;
}

export function encodeHeader(name: string, value: string, escaping: Escaping): string {
  return `${escapeHeader(name, escaping, true)}:${escapeHeader(value, escaping)}\n`;
}

/** Completes a head of {@link encodeHead} with content-length, blank line, body and NUL. */
export function joinFrame(head: string, body: Uint8Array): Buffer {
  const wholeHead = body.length > 0 ? `${head}content-length:${body.length}\n\n` : `${head}\n`;
  const headBytes = Buffer.byteLength(wholeHead);
  const frame = Buffer.allocUnsafe(headBytes + body.length + 1);
  frame.write(wholeHead, 0, 'utf8');
  frame.set(body, headBytes);
  frame[frame.length - 1] = 0;
  return frame;
}
