import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const CHECK_EVERY_MS = 1_000;
const CHECK_WITHIN_MS = 1_000;
/** Checks in succession without an answer after which a target is down. */
const DOWN_AFTER = 2;
const CONNECT_WITHIN_MS = 1_000;

/** One of the APIs behind a balancer. */
interface Target {
  readonly host: string;
  failures: number;
  readonly sockets: Set<Socket>;
}

/**
 * A TCP balancer before the APIs, as a real site has one: it asks each of them once a second whether it
 * lives, and ends the connections to one that is silent. A learner's next connection leads to another one.
 */
export async function startBalancer(port: number, hosts: readonly string[]): Promise<void> {
  const targets = hosts.map((host): Target => ({ host, failures: 0, sockets: new Set() }));
  for (const target of targets) void watch(target, port);
  let connections = 0;
  const listener = createServer({ noDelay: true }, async (client) => {
    connections += 1;
    client.on('error', () => client.destroy());
    const turned = targets.map((_, at) => targets[(at + connections) % targets.length] as Target);
    for (const target of turned.filter(isUp)) {
      const server = await connectTo(target, port);
      if (server) return join(client, server, target);
    }
    client.destroy();
  });
  listener.listen(port);
  await once(listener, 'listening');
}

const isUp = ({ failures }: Target) => failures < DOWN_AFTER;

async function watch(target: Target, port: number): Promise<never> {
  for (;;) {
    const signal = AbortSignal.timeout(CHECK_WITHIN_MS);
    const isAnswering = await fetch(`http://${target.host}:${port}/livez`, { signal }).then(
      async (answer) => answer.ok && (await answer.text()) !== '',
      () => false,
    );
    target.failures = isAnswering ? 0 : target.failures + 1;
    if (!isUp(target)) for (const socket of target.sockets) socket.destroy();
    await delay(CHECK_EVERY_MS);
  }
}

/** Null if it does not connect in time. */
async function connectTo({ host }: Target, port: number): Promise<Socket | null> {
  const socket = connect({ host, port, noDelay: true });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_WITHIN_MS) });
    return socket;
  } catch {
    // What it says later, such as that nothing was reached after all, is of no interest.
    socket.on('error', () => undefined);
    socket.destroy();
    return null;
  }
}

function join(client: Socket, server: Socket, { sockets }: Target): void {
  sockets.add(server);
  const end = () => {
    sockets.delete(server);
    client.destroy();
    server.destroy();
  };
  for (const socket of [client, server]) {
    socket.on('error', end);
    socket.on('close', end);
  }
  if (client.destroyed || server.destroyed) {
    end();
    return;
  }
  client.pipe(server);
  server.pipe(client);
}
