import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Refuses an upgrade request with an HTTP status, and closes. */
export function rejectUpgrade(socket: Duplex, status: number): void {
  const text = STATUS_CODES[status] ?? 'Error';
  socket.on('error', () => socket.destroy());
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${text}\r\nConnection: close\r\nContent-Type: text/plain\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}
