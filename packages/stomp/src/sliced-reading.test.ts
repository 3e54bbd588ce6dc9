import { once } from 'node:events';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import { serve } from '../testing/serve.ts';

const limits = { framesPerSecond: 20, frameBurst: 40 };
/** Four messages for each frame of the burst, and a slice that had begun. */
const MOST_READ = 160 + 300;

/** A WebSocket message of a client, masked with zeros (RFC 6455, 5.2). */
function message(text: string): Buffer {
  const payload = Buffer.from(text);
  const isLong = payload.length > 125;
  const length = isLong
    ? [0xfe, payload.length >> 8, payload.length & 0xff]
    : [0x80 | payload.length];
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), payload]);
}

const CHUNK = Buffer.concat(Array<Buffer>(9_000).fill(message('\n')));
const CONNECT = message('CONNECT\naccept-version:1.2\n\n\0');
const SEND = message(`SEND\ndestination:/a\n\n${'x'.repeat(12_000)}\0`);

/** Writes bytes in the packet of the upgrade request. */
function upgrade(url: string, ...behind: Buffer[]) {
  const { port, host, pathname } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1').resume();
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  const head =
    `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n\r\n`;
  socket.write(Buffer.concat([Buffer.from(head), ...behind]));
  return socket;
}

/** Counts the messages that ws reads. */
function countMessages(): () => number {
  const emit = vi.spyOn(WebSocket.prototype, 'emit');
  onTestFinished(() => emit.mockRestore());
  return () => emit.mock.calls.filter(([event]) => event === 'message').length;
}

it.each([
  ['the upgrade', []],
  ['CONNECT', [CONNECT]],
])('[LI13] reads little of a chunk of 9,000 messages in one packet with %s', async (_, before) => {
  const { url } = await serve({ limits });
  const messages = countMessages();
  await once(upgrade(url, ...before, CHUNK), 'close');
  expect(messages()).toBeLessThan(MOST_READ);
});

it('[LI13] reads little of a chunk of 9,000 messages on an open connection', async () => {
  const { url, sessions } = await serve({ limits });
  const socket = upgrade(url, CONNECT);
  await vi.waitFor(() => expect(sessions()).toHaveLength(1));
  const messages = countMessages();
  socket.write(CHUNK);
  await once(socket, 'close');
  expect(messages()).toBeLessThan(MOST_READ);
});

/** Waits until nearly all of a chunk waits in the process. */
const arrived = (socket: Duplex | undefined) =>
  vi.waitFor(() => expect(socket?.readableLength).toBeGreaterThan(50_000));

it('[LI13] reads little of a chunk that came while a hook was at work', async () => {
  const done = Promise.withResolvers<void>();
  const { url, http, sessions } = await serve({ limits, hooks: { onSend: () => done.promise } });
  let received: Duplex | undefined;
  http.once('upgrade', (_request, socket) => {
    received = socket;
  });
  const socket = upgrade(url, CONNECT, SEND, SEND, SEND);
  await vi.waitFor(() => expect(sessions()).toHaveLength(1));
  const messages = countMessages();
  socket.write(CHUNK);
  await arrived(received);
  done.resolve();
  await once(socket, 'close');
  expect(messages()).toBeLessThan(MOST_READ);
});

it('[LI13] reads little of a chunk that came before the upgrade was accepted', async () => {
  const { url, http, stomp } = await serve({ limits });
  const messages = countMessages();
  http.removeAllListeners('upgrade');
  const socket = upgrade(url);
  const [request, received, head] = await once(http, 'upgrade');
  socket.write(CHUNK);
  await arrived(received);
  stomp.handleUpgrade(request, received, head, '');
  await once(socket, 'close');
  expect(messages()).toBeLessThan(MOST_READ);
});

it('[LI13] loses nothing of many messages in one packet', async () => {
  const taken: string[] = [];
  const { url } = await serve({
    hooks: { onSend: (_session, { body }) => void taken.push(body.toString()) },
  });
  const bodies = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(index * 30));
  const sent = bodies.map((body) => message(`SEND\ndestination:/a\n\n${body}\0`));
  const socket = upgrade(url, CONNECT, ...sent.slice(0, 50));
  socket.write(Buffer.concat(sent.slice(50)));
  await vi.waitFor(() => expect(taken).toEqual(bodies));
});
