import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { rejectUpgrade } from '@mogakgong/stomp';
import { isHostClear } from './connections.ts';
import { type UnconnectedSocket, UnconnectedSockets } from './unconnected-sockets.ts';

/**
 * Takes over the socket of a WebSocket upgrade whose Origin is allowed. Releases it from the limits of
 * unknown clients once it knows who the client is.
 */
export type UpgradeHandler = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  unconnected: UnconnectedSocket,
) => void;

interface UpgradeOptions {
  readonly publicUrl: string | undefined;
  readonly trustProxy: boolean;
  readonly rateLimitScale: number;
}

/** The path as it was sent, without query: never decoded or resolved, so nothing can hide in it. */
function sentPath(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0] ?? '';
}

/**
 * Where a request comes from that Fastify does not serve (an upgrade), by the same rule as
 * `request.ip`: behind our own proxy the address that it appended, and nothing that a client wrote.
 */
function clientAddress(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? request.headers['x-forwarded-for'] : undefined;
  const appended = String(forwarded ?? '')
    .split(',')
    .at(-1)
    ?.trim();
  return appended || (request.socket.remoteAddress ?? '');
}

/**
 * Whether a page of `Origin` may call with the reader's cookies or open a WebSocket: our own pages
 * may, whatever name they were reached by; programs that are no browser send no Origin.
 */
export function isOriginAllowed(
  { origin, host }: IncomingHttpHeaders,
  publicUrl: string | undefined,
): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return (
    from.host === host || (publicUrl !== undefined && from.origin === new URL(publicUrl).origin)
  );
}

/**
 * Shares the upgrades of one server among exact paths: 404 for any other path, 403 for a page of a
 * foreign origin, 429 and 503 for too many clients that nobody knows yet.
 */
export function createUpgrades(server: Server, options: UpgradeOptions) {
  const unconnectedSockets = new UnconnectedSockets(options.rateLimitScale);
  const sockets = new Set<Duplex>();
  const handlers = new Map<string, UpgradeHandler>();
  server.on('upgrade', (request, socket, head) => {
    // A socket without a listener ends the process when its client vanishes.
    socket.on('error', () => socket.destroy());
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const handler = handlers.get(sentPath(request));
    if (!isHostClear(request)) return rejectUpgrade(socket, 400);
    if (!handler) return rejectUpgrade(socket, 404);
    if (!isOriginAllowed(request.headers, options.publicUrl)) return rejectUpgrade(socket, 403);
    const unconnected = unconnectedSockets.count(
      clientAddress(request, options.trustProxy),
      socket,
    );
    if ('status' in unconnected) rejectUpgrade(socket, unconnected.status);
    else handler(request, socket, head, unconnected);
  });
  return {
    add(path: string, handler: UpgradeHandler): void {
      handlers.set(path, handler);
    },
    /** Ends what was taken over: a server waits for these sockets when it closes. */
    destroyAll(): void {
      for (const socket of sockets) socket.destroy();
    },
  };
}
