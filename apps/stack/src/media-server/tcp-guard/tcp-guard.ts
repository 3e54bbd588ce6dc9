import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import type { SupervisorLogger } from '../../child-process/index.ts';
import { type ConnectionLimits, type HeldConnection, HeldConnections } from './held-connections.ts';
import { connectionLimits } from './limits.ts';
import { plainAddress } from './network.ts';
import { beginsWithBindingRequest, receiverOf } from './stun.ts';

/** When connections are closed. */
const times = {
  /** Those that have sent no whole STUN request by then. */
  firstMessageMs: 3_000,
  /** Those that LiveKit has not answered so long after it. */
  proofMs: 7_000,
  /** Idle ones. A browser with pictures asks every few seconds whether the way still stands. */
  idleMs: 60_000,
};
const LOG_EVERY_MS = 60_000;
const LAST_PORT = 65_535;

export interface TcpGuardOptions {
  /** The preferred port; the next free one is used if it is taken. */
  readonly port: number;
  /** Ports that are for others. */
  readonly avoid: readonly number[];
  /** LiveKit's TCP port on this machine. */
  readonly livekitPort: () => number;
  readonly limits?: ConnectionLimits;
  readonly times?: Partial<typeof times>;
  readonly logger: SupervisorLogger;
}

/** The public port for media over TCP. */
export interface TcpGuard {
  readonly port: number;
  /** Open connections. */
  readonly size: number;
  close(): Promise<void>;
}

/**
 * Listens in place of LiveKit, which takes any number of silent connections, and stops accepting for good once it
 * is out of descriptors. LiveKit gets only connections that begin with a STUN request.
 */
export async function openTcpGuard(options: TcpGuardOptions): Promise<TcpGuard> {
  const { limits = await connectionLimits(), logger } = options;
  const drops = countDrops(logger);
  const connections = new HeldConnections(limits, drops.add);
  const server = createServer({ noDelay: true }, (socket) => {
    // A browser that goes away is no fault; the socket closes by itself.
    socket.on('error', () => undefined);
    const connection = connections.hold(socket);
    if (connection !== null) void serve(connection, connections, options);
  });
  const port = await listen(server, options);
  server.on('error', (error) => logger.warn({ err: error }, 'Media over TCP: a connection failed'));
  return {
    port,
    get size() {
      return connections.size;
    },
    async close() {
      drops.stop();
      server.close();
      connections.closeAll();
      await once(server, 'close');
    },
  };
}

async function serve(
  connection: HeldConnection,
  connections: HeldConnections,
  options: TcpGuardOptions,
): Promise<void> {
  const { socket } = connection;
  const { firstMessageMs, proofMs, idleMs } = { ...times, ...options.times };
  const first = await readFirst(socket, firstMessageMs);
  if (first === null) return void socket.resetAndDestroy();
  connections.assign(connection, receiverOf(first));
  // LiveKit tells the connections of a participant apart by the address that the browser has chosen.
  const host = plainAddress(socket.localAddress ?? '127.0.0.1');
  const livekit = connect({ host, port: options.livekitPort(), noDelay: true });
  const unproven = setTimeout(() => socket.resetAndDestroy(), proofMs);
  socket.once('close', () => clearTimeout(unproven));
  livekit.once('data', () => {
    connection.isProven = true;
    clearTimeout(unproven);
    socket.setTimeout(idleMs, () => socket.resetAndDestroy());
  });
  livekit.write(first);
  // Either end closes the other, whatever the reason.
  pipeline(socket, livekit, () => undefined);
  pipeline(livekit, socket, () => undefined);
}

/** The bytes of a client that begins with a STUN request; null for any other. */
function readFirst(socket: Socket, withinMs: number): Promise<Buffer | null> {
  const { promise, resolve } = Promise.withResolvers<Buffer | null>();
  let bytes = Buffer.alloc(0);
  const read = (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    const isRequest = beginsWithBindingRequest(bytes);
    if (isRequest !== null) end(isRequest ? bytes : null);
  };
  const end = (first: Buffer | null) => {
    clearTimeout(tooLate);
    socket.off('data', read).off('close', gone).pause();
    resolve(first);
  };
  const gone = () => end(null);
  const tooLate = setTimeout(gone, withinMs);
  socket.on('data', read).once('close', gone);
  return promise;
}

async function listen(server: Server, { port, avoid }: TcpGuardOptions): Promise<number> {
  for (let next = port; next <= LAST_PORT; next += 1) {
    if (avoid.includes(next)) continue;
    server.listen({ port: next, exclusive: true });
    const failed = await once(server, 'listening').then(
      () => null,
      (error: NodeJS.ErrnoException) => error,
    );
    if (failed === null) return next;
    if (failed.code !== 'EADDRINUSE') throw failed;
  }
  throw new Error(`no free port from ${port} on`);
}

/** Logs once a minute how many connections the limits have closed. */
function countDrops(logger: SupervisorLogger) {
  let dropped = 0;
  let waiting: NodeJS.Timeout | undefined;
  const log = () => {
    waiting = undefined;
    logger.warn({ dropped }, 'Media over TCP: closed connections beyond the limits');
    dropped = 0;
  };
  return {
    add: () => {
      dropped += 1;
      waiting ??= setTimeout(log, LOG_EVERY_MS).unref();
    },
    stop: () => clearTimeout(waiting),
  };
}
