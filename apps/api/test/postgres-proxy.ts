import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { Transform } from 'node:stream';
import type { ProvidedContext } from 'vitest';

type Connection = ProvidedContext['postgres'];

/** A network between the product and PostgreSQL that can fail. */
export interface PostgresProxy {
  readonly connection: Connection;
  /** Breaks every connection and accepts no new one. */
  cut(): void;
  restore(): void;
  /** Stops all traffic on existing connections, which stay open; new ones work. */
  freeze(): void;
  /**
   * Stops the answers on the next connection on which a client sends this text; all others work.
   * @returns when the client has ended that connection.
   */
  freezeOn(text: string): Promise<void>;
  /** Directs new connections to another server; existing ones stay unchanged. */
  switchTo(target: Connection): void;
  /** Breaks every connection before the server's next answer arrives: its work is done. */
  loseNextAnswer(): void;
  /** Delays every answer. */
  delayAnswers(ms: number): void;
  close(): Promise<void>;
}

export async function createPostgresProxy(
  target: Connection,
  host = '127.0.0.1',
): Promise<PostgresProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let current = target;
  let losesNext = false;
  const freezer = createFreezer();
  let delayMs = 0;
  const delayed = () =>
    new Transform({
      transform(chunk, _encoding, done) {
        if (delayMs === 0) done(null, chunk);
        else setTimeout(done, delayMs, null, chunk);
      },
    });
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const upstream = connect(path.join(current.host, `.s.PGSQL.${current.port}`));
    upstream.on('data', () => {
      if (losesNext) breakAll();
    });
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
    }
    freezer.watch(client, upstream);
    client.pipe(upstream);
    upstream.pipe(delayed()).pipe(client);
  });
  server.listen(0, host);
  await once(server, 'listening');
  const breakAll = () => {
    losesNext = false;
    for (const socket of sockets) socket.destroy();
  };
  const cut = () => {
    isCut = true;
    breakAll();
  };
  return {
    connection: { ...target, host, port: (server.address() as AddressInfo).port },
    cut,
    restore() {
      isCut = false;
      losesNext = false;
    },
    loseNextAnswer() {
      losesNext = true;
    },
    freeze() {
      for (const socket of sockets) socket.unpipe().pause();
    },
    freezeOn: freezer.freezeOn,
    delayAnswers(ms) {
      delayMs = ms;
    },
    switchTo(other) {
      current = other;
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Stops the answers on a single connection. */
function createFreezer() {
  let next: { readonly text: string; readonly ended: () => void } | null = null;
  return {
    watch(client: Socket, upstream: Socket): void {
      client.on('data', (data: Buffer) => {
        if (!next || !data.includes(next.text)) return;
        upstream.unpipe().pause();
        client.once('close', next.ended);
        next = null;
      });
    },
    freezeOn(text: string): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      next = { text, ended: resolve };
      return promise;
    },
  };
}
