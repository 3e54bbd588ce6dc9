import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { UserId } from '@mogakgong/contract';
import { rejectUpgrade } from '@mogakgong/stomp';
import { type Connections, isHostClear } from './connections.ts';
import { type UnconnectedSocket, UnconnectedSockets } from './unconnected-sockets.ts';

/**
 * Holds a slot for a WebSocket until it is open.
 * @param userId whose valid token came with the upgrade; null where none did.
 */
export type HoldSlot = (userId: UserId | null) => UnconnectedSocket;

/**
 * Takes over the socket of a WebSocket upgrade whose Origin is allowed. Checks the token that came with
 * it, if any, before it holds a slot, and releases the slot when the WebSocket is open and its learner
 * known.
 */
export type UpgradeHandler = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  holdSlot: HoldSlot,
) => void;

interface UpgradeOptions {
  readonly connections: Connections;
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
 * foreign origin.
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
    const address = clientAddress(request, options.trustProxy);
    handler(request, socket, head, (userId) => {
      const slot = unconnectedSockets.hold(address, socket, userId);
      return {
        release() {
          slot.release();
          options.connections.trust(socket);
        },
      };
    });
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
