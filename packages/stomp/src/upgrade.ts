import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { MaybePromise } from './stomp-types.ts';

/** Answers an upgrade request with an HTTP status instead of a WebSocket, and closes. */
export function rejectUpgrade(socket: Duplex, status: number): void {
  const text = STATUS_CODES[status] ?? 'Error';
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\nConnection: close\r\nContent-Type: text/plain\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

/** What may be known of a client before its CONNECT, or the HTTP status that refuses it. */
export type HandshakeDecision<Handshake> = { readonly handshake: Handshake } | { status: number };

export interface AttachOptions<Handshake> {
  /** The path without query, e.g. `/ws/websocket`. Other paths are left to other listeners. */
  readonly path: string;
  /** Reads what it needs from the request (the request itself is not kept): Origin, address, token. */
  decide(request: IncomingMessage): MaybePromise<HandshakeDecision<Handshake>>;
}

/** Asks `decide`; undefined when the request was refused or its socket has gone meanwhile. */
export async function decideUpgrade<Handshake>(
  options: AttachOptions<Handshake>,
  request: IncomingMessage,
  socket: Duplex,
): Promise<{ readonly handshake: Handshake } | undefined> {
  const ignore = () => socket.destroy();
  socket.on('error', ignore);
  try {
    const decision = await options.decide(request);
    if ('handshake' in decision) return socket.destroyed ? undefined : decision;
    rejectUpgrade(socket, decision.status);
  } catch {
    rejectUpgrade(socket, 500);
  } finally {
    socket.off('error', ignore);
  }
  return undefined;
}
