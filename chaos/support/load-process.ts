import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What strangers, or learners without mercy, do to the API from a process of their own. */
export type Load = { readonly port: number } & (
  | {
      /** WebSockets that nobody logs in on, opened again when they are closed. */
      readonly kind: 'sockets';
      readonly networks: number;
      readonly each: number;
      readonly upgradesPerSecond: number;
    }
  /** Connections on which nothing is sent. */
  | { readonly kind: 'connections'; readonly networks: number; readonly each: number }
  | {
      /** Each reads the board of the room once in this time. */
      readonly kind: 'boards';
      readonly roomId: number;
      readonly tokens: readonly string[];
      readonly everyMs: number;
    }
);

const UPGRADE = [
  'GET /ws/websocket HTTP/1.1',
  'Host: localhost',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Protocol: v12.stomp',
  '\r\n',
].join('\r\n');
const TICK_MS = 50;
/** The load stands when it was tried everywhere once. */
const stands = () => process.send?.('stands');

/** Keeps connections open, at most so many new ones a second after the first of all of them. */
async function keepOpen(
  load: Load & { networks: number; each: number },
  perSecond: number,
  signal: AbortSignal,
) {
  const text = load.kind === 'sockets' ? UPGRADE : '';
  const waiting: number[] = [];
  const opened = new Set<Socket>();
  const open = (network: number): Socket => {
    // Each /16 of the loopback network is another network to the API.
    const localAddress = `127.${network + 1}.0.1`;
    const socket = connect({ host: '127.0.0.1', port: load.port, localAddress });
    socket.on('connect', () => socket.write(text));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      opened.delete(socket);
      waiting.push(network);
    });
    socket.resume();
    opened.add(socket);
    return socket;
  };
  for (let network = 0; network < load.networks; network += 1) {
    const sockets = Array.from({ length: load.each }, () => open(network));
    await Promise.all(
      sockets.map((socket) =>
        Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined),
      ),
    );
  }
  stands();
  while (!signal.aborted) {
    await delay(TICK_MS);
    for (const network of waiting.splice(0, (perSecond * TICK_MS) / 1_000)) open(network);
  }
  for (const socket of opened) socket.destroy();
}

async function readBoards(
  { port, roomId, tokens, everyMs }: Load & { kind: 'boards' },
  signal: AbortSignal,
) {
  const read = async (token: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/study-rooms/${roomId}/board`, {
      headers: { authorization: `Bearer ${token}` },
      signal,
    });
    await answer.arrayBuffer();
  };
  const all = tokens.map(async (token) => {
    while (!signal.aborted) await Promise.all([read(token).catch(() => undefined), delay(everyMs)]);
  });
  stands();
  await Promise.all(all);
}

let stopping = new AbortController();
process.on('message', (load: Load | 'stop') => {
  stopping.abort();
  if (load === 'stop') return;
  stopping = new AbortController();
  const { signal } = stopping;
  if (load.kind === 'boards') void readBoards(load, signal);
  else void keepOpen(load, load.kind === 'sockets' ? load.upgradesPerSecond : load.each, signal);
});
// The run is over, whatever ended it.
process.once('disconnect', () => process.exit());
