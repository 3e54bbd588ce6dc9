import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import type { ProvidedContext } from 'vitest';

type Connection = ProvidedContext['postgres'];

/** A network between the product and PostgreSQL that can be cut. */
export interface PostgresProxy {
  readonly connection: Connection;
  /** Breaks every connection and takes no new one. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function createPostgresProxy(target: Connection): Promise<PostgresProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const socketFile = path.join(target.host, `.s.PGSQL.${target.port}`);
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(socketFile);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    connection: { ...target, host: '127.0.0.1', port: (server.address() as AddressInfo).port },
    cut,
    restore() {
      isCut = false;
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
