import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { hasTwoHosts } from './connections.ts';

/** Takes over the socket of a WebSocket upgrade. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The path as it was sent, without query: never decoded or resolved, so nothing can hide in it. */
function sentPath(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0] ?? '';
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Shares the upgrades of one server among exact paths; a path of nobody is answered 404. */
export function createUpgrades(server: Server) {
  const sockets = new Set<Duplex>();
  const handlers = new Map<string, UpgradeHandler>();
  server.on('upgrade', (request, socket, head) => {
    // A socket without a listener ends the process when its client vanishes.
    socket.on('error', () => socket.destroy());
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const handler = handlers.get(sentPath(request));
    if (hasTwoHosts(request)) refuse(socket, '400 Bad Request');
    else if (handler) handler(request, socket, head);
    else refuse(socket, '404 Not Found');
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
