import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  isStalled: boolean;
}

/** A TCP proxy on loopback in front of one port, that can cut and stall its connections. */
export interface FlakyProxy {
  readonly port: number;
  /** Connections that pass through it now. */
  readonly size: number;
  /** Destroys one connection; data in transit is lost. */
  cut(chosen: number): void;
  /** Lets nothing through one connection for so long, either way. */
  stall(chosen: number, ms: number): void;
  close(): Promise<void>;
}

export async function startFlakyProxy(targetPort: number): Promise<FlakyProxy> {
  const pairs = new Set<Pair>();
  const listener = createServer({ noDelay: true }, (client) => {
    const server = connect({ host: '127.0.0.1', port: targetPort, noDelay: true });
    const pair = { client, server, isStalled: false };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      destroy(pair);
    };
    for (const socket of [client, server]) {
      socket.on('error', end);
      socket.on('close', end);
    }
    client.pipe(server);
    server.pipe(client);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const at = (chosen: number) => [...pairs][Math.floor(chosen) % Math.max(1, pairs.size)];
  return {
    port: address.port,
    get size() {
      return pairs.size;
    },
    cut(chosen) {
      const pair = at(chosen);
      if (pair) destroy(pair);
    },
    stall(chosen, ms) {
      const pair = at(chosen);
      if (pair) stall(pair, ms);
    },
    async close() {
      for (const pair of pairs) destroy(pair);
      listener.close();
      await once(listener, 'close');
    },
  };
}

function destroy({ client, server }: Pair): void {
  client.destroy();
  server.destroy();
}

function stall(pair: Pair, ms: number): void {
  if (pair.isStalled) return;
  const { client, server } = pair;
  pair.isStalled = true;
  client.unpipe(server);
  server.unpipe(client);
  setTimeout(() => {
    pair.isStalled = false;
    if (client.destroyed || server.destroyed) return;
    client.pipe(server);
    server.pipe(client);
  }, ms).unref();
}
