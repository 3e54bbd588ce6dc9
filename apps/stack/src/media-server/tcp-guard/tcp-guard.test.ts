import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freePort } from '../../../../../test/free-port.ts';
import { createLogger } from '../../logger.ts';
import { networkOf } from './network.ts';
import { openTcpGuard } from './tcp-guard.ts';

/** A STUN binding request, with its length before it. */
const REQUEST = Buffer.from(`00140001${'0000'}2112a442${'00'.repeat(12)}`, 'hex');
const ANSWER = Buffer.from('answer');
const ROOMY = { perNetwork: 256, perParticipant: 100, total: 2_000 };

/** Stands for LiveKit: it answers requests, or only takes them. */
let livekit: Server;
let taken: Socket[];
let isAnswering: boolean;
let guard: Awaited<ReturnType<typeof openTcpGuard>>;
const clients: Socket[] = [];

beforeEach(async () => {
  taken = [];
  isAnswering = true;
  livekit = createServer((socket) => {
    taken.push(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', () => isAnswering && socket.write(ANSWER));
  }).listen(0);
  await once(livekit, 'listening');
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await guard.close();
  for (const socket of taken) socket.destroy();
  livekit.close();
});

async function open(limits = ROOMY, times = {}) {
  const { port } = livekit.address() as AddressInfo;
  guard = await openTcpGuard({
    port: await freePort(),
    avoid: [],
    livekitPort: () => port,
    logger: createLogger('silent'),
    limits,
    times,
  });
}

/** A connection from an address of the loopback network. */
async function join(localAddress = '127.0.0.1'): Promise<Socket> {
  const client = connect({ port: guard.port, host: '127.0.0.1', localAddress });
  clients.push(client);
  client.on('error', () => client.destroy());
  await new Promise((resolve) => client.once('connect', resolve).once('close', resolve));
  return client.resume();
}

/** One that LiveKit has answered. */
async function prove(localAddress?: string): Promise<Socket> {
  const client = await join(localAddress);
  const answered = once(client, 'data');
  client.write(REQUEST);
  expect((await answered)[0]).toEqual(ANSWER);
  return client;
}

const untilClosed = (client: Socket) => vi.waitFor(() => expect(client.closed).toBe(true));

test('a request passes with all that follows it, in whatever pieces it comes', async () => {
  await open();
  const client = await join();
  const received: Buffer[] = [];
  livekit.on('connection', (socket) => socket.on('data', (data) => received.push(data)));
  const answered = once(client, 'data');
  for (const byte of REQUEST) client.write(Buffer.of(byte));
  client.write('more');
  await answered;
  await vi.waitFor(() =>
    expect(Buffer.concat(received)).toEqual(Buffer.concat([REQUEST, Buffer.from('more')])),
  );
  client.end();
  await untilClosed(client);
  await vi.waitFor(() => expect(guard.size).toBe(0));
  await vi.waitFor(() => expect(taken.map(({ closed }) => closed)).toEqual([true]));
});

test.each([
  ['a page request', Buffer.from('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')],
  ['a request of another length', Buffer.concat([Buffer.of(0, 0x24), REQUEST.subarray(2)])],
  ['an answer in place of a request', Buffer.concat([REQUEST.subarray(0, 2), Buffer.of(1, 1)])],
  ['another protocol of that length', Buffer.concat([REQUEST.subarray(0, 6), Buffer.alloc(16)])],
])('%s is closed at once, and LiveKit hears nothing', async (_, bytes) => {
  await open();
  const client = await join();
  client.write(Buffer.concat([bytes, Buffer.alloc(24)]));
  await untilClosed(client);
  expect(taken).toEqual([]);
});

test('a silent connection is closed after three seconds', async () => {
  await open();
  const startedMs = performance.now();
  const client = await join();
  client.write(REQUEST.subarray(0, 10));
  await untilClosed(client);
  const lastedMs = performance.now() - startedMs;
  expect(lastedMs).toBeGreaterThan(2_900);
  expect(taken).toEqual([]);
});

test('one that LiveKit does not answer is closed, and one that is idle', async () => {
  await open(ROOMY, { proofMs: 300, idleMs: 600 });
  const idle = await prove();
  isAnswering = false;
  const unanswered = await join();
  unanswered.write(REQUEST);
  await untilClosed(unanswered);
  expect(taken).toHaveLength(2);
  expect(idle.closed).toBe(false);
  await untilClosed(idle);
});

test('the oldest of a network that proved nothing makes room for the next; proven ones stay', async () => {
  await open({ ...ROOMY, perNetwork: 3 });
  const proven = await prove();
  const silent = [await join(), await join()];
  const later = await prove();
  await untilClosed(silent[0] as Socket);
  expect(silent[1]?.closed).toBe(false);
  await prove();
  await untilClosed(silent[1] as Socket);
  // Its three are proven now.
  await untilClosed(await join());
  expect([proven.closed, later.closed]).toEqual([false, false]);
  await prove('127.0.0.2');
});

test('so it is with all networks together', async () => {
  await open({ ...ROOMY, total: 3 });
  const proven = await prove('127.0.0.2');
  const silent = [await join('127.0.0.3'), await join('127.0.0.4')];
  await prove('127.0.0.5');
  await untilClosed(silent[0] as Socket);
  await prove('127.0.0.6');
  await untilClosed(silent[1] as Socket);
  await untilClosed(await join('127.0.0.7'));
  expect([guard.size, proven.closed]).toEqual([3, false]);
});

test('the oldest of one participant makes room for the next, from whatever networks', async () => {
  await open({ ...ROOMY, perParticipant: 2 });
  /** A request with a USERNAME. */
  const requestOf = (name: string) => {
    const value = Buffer.from(name.padEnd(8));
    const attribute = Buffer.concat([Buffer.of(0, 6, 0, 8), value]);
    const bytes = Buffer.concat([REQUEST, attribute]);
    bytes.writeUInt16BE(bytes.length - 2, 0);
    bytes.writeUInt16BE(attribute.length, 4);
    return bytes;
  };
  const proveAs = async (name: string, address: string) => {
    const client = await join(address);
    const answered = once(client, 'data');
    client.write(requestOf(name));
    await answered;
    return client;
  };
  const first = await proveAs('one:a', '127.0.0.2');
  const other = await proveAs('two:a', '127.0.0.2');
  const second = await proveAs('one:b', '127.0.0.3');
  await proveAs('one:c', '127.0.0.4');
  await untilClosed(first);
  expect([other.closed, second.closed]).toEqual([false, false]);
});

test('what one end does not read waits at the other', async () => {
  await open();
  const client = await prove();
  client.pause();
  const [socket] = taken as [Socket];
  const megabyte = 1024 * 1024;
  for (let sent = 0; sent < 64; sent += 1) socket.write(Buffer.alloc(megabyte));
  let waiting = -1;
  await vi.waitFor(
    () => {
      const before = waiting;
      waiting = socket.writableLength;
      expect(waiting).toBe(before);
    },
    { interval: 200 },
  );
  expect(waiting).toBeGreaterThan(32 * megabyte);
  let received = 0;
  client.on('data', (data) => {
    received += data.length;
  });
  client.resume();
  await vi.waitFor(() => expect(received).toBe(64 * megabyte));
});

test('an IPv6 network is a /64, and IPv4 within IPv6 is IPv4', () => {
  expect(networkOf('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(networkOf('192.0.2.7')).toBe('192.0.2.7');
  const short = networkOf('2001:db8::5');
  expect(networkOf('2001:db8:0:0:1:2:3:4')).toBe(short);
  expect(networkOf('2001:db8:0:1::5')).not.toBe(short);
  expect(networkOf('::1')).toBe(networkOf('::2'));
});
