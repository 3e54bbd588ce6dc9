import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/** Takes over the socket of a WebSocket upgrade. */
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Shares the upgrades of one server among path prefixes; a path of nobody is answered 404. */
export function createUpgrades(server: Server) {
  const sockets = new Set<Duplex>();
  const handlers: { readonly pathPrefix: string; readonly handler: UpgradeHandler }[] = [];
  server.on('upgrade', (request, socket, head) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const match = handlers.find(({ pathPrefix }) => pathname.startsWith(pathPrefix));
    if (match) {
      match.handler(request, socket, head);
      return;
    }
    socket.on('error', () => socket.destroy());
    socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
  return {
    add(pathPrefix: string, handler: UpgradeHandler): void {
      handlers.push({ pathPrefix, handler });
    },
    /** Ends what was taken over: a server waits for these sockets when it closes. */
    destroyAll(): void {
      for (const socket of sockets) socket.destroy();
    },
  };
}
