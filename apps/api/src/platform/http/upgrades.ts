import type { IncomingHttpHeaders, IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { UserId } from '@mogakgong/contract';
import { rejectUpgrade } from '@mogakgong/stomp';
import type { Env } from '../env/index.ts';
import { type Connections, isHostClear } from './connections.ts';
import { type UnconnectedSocket, UnconnectedSockets } from './unconnected-sockets.ts';

/**
 * Holds a slot for a WebSocket until it is open.
 * @param userId the holder of the valid token of the upgrade; null without one.
 */
export type HoldSlot = (userId: UserId | null) => UnconnectedSocket;

/**
 * Takes over the socket of a WebSocket upgrade with an allowed Origin. Checks its token, if any, before it
 * holds a slot, and releases the slot when the WebSocket is open and its learner known.
 */
export type UpgradeHandler = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  holdSlot: HoldSlot,
) => void;

/** The path as sent, without query: never decoded or resolved, so that nothing can hide in it. */
function sentPath(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0] ?? '';
}

/**
 * The client's address of an upgrade request, by the same rule as `request.ip`: behind our own proxy the
 * address that it appended, never a value of the client.
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
 * Whether a page of `Origin` may call with the reader's cookies or open a WebSocket: only our own pages,
 * under any name of the site; other programs send no Origin.
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
 * Distributes the upgrades of one server by exact path: 404 for any other path, 403 for a page of a foreign
 * origin.
 */
export function createUpgrades(server: Server, env: Env, connections: Connections) {
  const unconnectedSockets = new UnconnectedSockets(env.RATE_LIMIT_SCALE);
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
    if (!isOriginAllowed(request.headers, env.PUBLIC_URL)) return rejectUpgrade(socket, 403);
    const address = clientAddress(request, env.TRUST_PROXY);
    handler(request, socket, head, (userId) => {
      const slot = unconnectedSockets.hold(address, socket, userId);
      return {
        release() {
          slot.release();
          connections.trust(socket);
        },
      };
    });
  });
  return {
    add(path: string, handler: UpgradeHandler): void {
      handlers.set(path, handler);
    },
    /** Destroys the sockets that were taken over: a server waits for them when it closes. */
    destroyAll(): void {
      for (const socket of sockets) socket.destroy();
    },
  };
}
