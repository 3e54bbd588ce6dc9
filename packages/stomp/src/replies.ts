import { encodeFrame } from './encode-frame.ts';
import type { Frame, HeaderEntries, StompVersion } from './frame.ts';
import type { HeartBeatOptions } from './heart-beat.ts';
import { toWebSocketMessage } from './websocket-frame.ts';

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
