import type { Frame, HeaderEntries, StompVersion } from './frame.ts';
import { escapeHeader, escapingOf } from './header-escaping.ts';
import type { HeartBeatOptions } from './heart-beat.ts';

const NO_BODY = Buffer.alloc(0);

/** One frame's bytes. Adds `content-length` if there is a body; do not pass it as a header. */
export function encodeFrame(
  command: string,
  headers: HeaderEntries,
  body: Uint8Array = NO_BODY,
  version?: StompVersion,
): Buffer {
  const escaping = escapingOf(command, version);
  let head = `${command}\n`;
  for (const [name, value] of headers) {
    head += `${escapeHeader(name, escaping, true)}:${escapeHeader(value, escaping)}\n`;
  }
  head += body.length > 0 ? `content-length:${body.length}\n\n` : '\n';
  const headBytes = Buffer.byteLength(head);
  const frame = Buffer.allocUnsafe(headBytes + body.length + 1);
  frame.write(head, 0, 'utf8');
  frame.set(body, headBytes);
  frame[frame.length - 1] = 0;
  return frame;
}

const TEXT = 0x81;
const BINARY = 0x82;

/** A whole unmasked WebSocket message around the payload (RFC 6455 5.2), to be written to any number of sockets. */
export function toWebSocketMessage(payload: Buffer, isBinary = false): Buffer {
  return Buffer.concat([headOf(payload.length, isBinary ? BINARY : TEXT), payload]);
}

/** FIN, opcode, and the length in 7, 16 or 64 bits. */
function headOf(length: number, first: number): Buffer {
  if (length < 126) return Buffer.from([first, length]);
  if (length < 65_536) return Buffer.from([first, 126, length >> 8, length & 0xff]);
  const head = Buffer.from([first, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

/** A heart-beat: one end of line (STOMP 1.2 "Heart-beating"). */
export const HEART_BEAT = toWebSocketMessage(Buffer.from('\n'));

/** The frames of the protocol itself, as whole WebSocket messages. */
export function connectedReply(
  version: StompVersion,
  sessionId: string,
  serverName: string,
  heartBeat: HeartBeatOptions,
  headers: HeaderEntries,
): Buffer {
  const all: (readonly [string, string])[] = [
    ['version', version],
    ['heart-beat', `${heartBeat.sendMs},${heartBeat.receiveMs}`],
    ['session', sessionId],
    ['server', serverName],
    ...headers,
  ];
  return toWebSocketMessage(encodeFrame('CONNECTED', all, undefined, version));
}

export function receiptReply(
  receipt: string,
  version: StompVersion,
  headers: HeaderEntries,
): Buffer {
  const all: HeaderEntries = [['receipt-id', receipt], ...headers];
  return toWebSocketMessage(encodeFrame('RECEIPT', all, undefined, version));
}

export interface ErrorParts {
  readonly message: string;
  readonly headers?: HeaderEntries | undefined;
  readonly body?: string | undefined;
  /** The frame that the error answers, if any. */
  readonly frame?: Frame | undefined;
}

/** Without a version nothing is escaped: before CONNECTED a client cannot know how to read escapes. */
export function errorReply(parts: ErrorParts, version: StompVersion = '1.0'): Buffer {
  const all: (readonly [string, string])[] = [['message', parts.message]];
  const receipt = parts.frame?.headers.get('receipt');
  if (receipt !== undefined) all.push(['receipt-id', receipt]);
  if (parts.body !== undefined) all.push(['content-type', 'text/plain']);
  all.push(...(parts.headers ?? []));
  const body = parts.body === undefined ? undefined : Buffer.from(parts.body);
  return toWebSocketMessage(encodeFrame('ERROR', all, body, version));
}
