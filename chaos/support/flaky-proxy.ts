import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  isStalled: boolean;
}

/** A proxy in front of one server, that can cut and stall its connections. */
export interface FlakyProxy {
  /** On loopback; 0 when it listens at the path of a socket. */
  readonly port: number;
  /** Connections that pass through it now. */
  readonly size: number;
  /** Destroys one connection; data in transit is lost. */
  cut(chosen: number): void;
  cutAll(): void;
  /** Lets nothing through one connection for so long, either way. */
  stall(chosen: number, ms: number): void;
  /** Lets nothing more through the connections there are; new ones work. */
  freezePresent(): void;
  /** Lets nothing through any connection, also not through new ones, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Lets new connections through after `freeze`; what was frozen stays so. */
  thawNew(): void;
  close(): Promise<void>;
}

/**
 * @param target where it leads: a port of loopback, or the path of a socket.
 * @param path of the socket where it listens, instead of loopback.
 */
export async function startFlakyProxy(target: number | string, path?: string): Promise<FlakyProxy> {
  const pairs = new Set<Pair>();
  let [isFrozen, connections] = [false, 0];
  const upstream = () => {
    if (typeof target === 'string') return { path: target };
    connections += 1;
    // Learners come from many networks.
    const localAddress = `127.${100 + (connections % 100)}.0.1`;
    return { host: '127.0.0.1', port: target, localAddress };
  };
  const listener = createServer({ noDelay: true }, (client) => {
    const server = connect({ ...upstream(), noDelay: true });
    const pair = { client, server, isStalled: isFrozen };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      destroy(pair);
    };
    for (const socket of [client, server]) {
      socket.on('error', end);
      socket.on('close', end);
    }
    if (!isFrozen) join(pair);
  });
  listener.listen(path === undefined ? { port: 0, host: '127.0.0.1' } : { path });
  await once(listener, 'listening');
  const at = (chosen: number) => [...pairs][Math.floor(chosen) % Math.max(1, pairs.size)];
  return {
    port: path === undefined ? (listener.address() as AddressInfo).port : 0,
    get size() {
      return pairs.size;
    },
    cut(chosen) {
      const pair = at(chosen);
      if (pair) destroy(pair);
    },
    cutAll() {
      for (const pair of pairs) destroy(pair);
    },
    stall(chosen, ms) {
      const pair = at(chosen);
      if (!pair || pair.isStalled) return;
      stall(pair);
      setTimeout(() => join(pair), ms).unref();
    },
    freezePresent() {
      for (const pair of pairs) stall(pair);
    },
    freeze() {
      isFrozen = true;
      for (const pair of pairs) stall(pair);
    },
    thaw() {
      isFrozen = false;
      for (const pair of pairs) join(pair);
    },
    thawNew() {
      isFrozen = false;
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

function join(pair: Pair): void {
  const { client, server } = pair;
  pair.isStalled = false;
  if (client.destroyed || server.destroyed) return;
  client.pipe(server);
  server.pipe(client);
}

function stall(pair: Pair): void {
  pair.isStalled = true;
  pair.client.unpipe(pair.server);
  pair.server.unpipe(pair.client);
}
