import type { IncomingMessage } from 'node:http';

/**
 * Where a request comes from that Fastify does not serve (an upgrade), by the same rule as
 * `request.ip`: behind our own proxy the address that it appended, and nothing that a client wrote.
 */
export function clientAddress(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined;
  const appended = String(forwarded ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  return appended || (request.socket.remoteAddress ?? '');
}
