import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import { expect, it, type Mock, vi } from 'vitest';
import { WebSocket } from 'ws';
import { RawClient } from '../testing/raw-client.ts';
import { type Served, serve } from '../testing/serve.ts';
import { toWebSocketMessage } from './encode-frame.ts';
import { type EndReason, Group, Message, Refusal } from './index.ts';

const target = (id: string, more = {}) => ({
  id,
  destination: '/a',
  version: '1.2' as const,
  isAcknowledged: false,
  ...more,
});

it('[WR1] builds a message once for the same id, destination and version', () => {
  const message = new Message({ messageId: 'm', body: 'hello' });
  const bytes = message.bytesFor(target('sub-0'));
  expect(message.bytesFor(target('sub-0'))).toBe(bytes);
  for (const other of [
    target('sub-1'),
    target('sub-0', { destination: '/b' }),
    target('sub-0', { version: '1.1' }),
    target('sub-0', { isAcknowledged: true }),
  ]) {
    expect(message.bytesFor(other)).not.toBe(bytes);
    expect(message.bytesFor(other)).toBe(message.bytesFor(other));
  }
});

it('[WR1] bounds what one message keeps for clients that invent ids', () => {
  const message = new Message({ messageId: 'm', body: 'hello' });
  for (let i = 0; i < 100; i += 1) message.bytesFor(target(`x${i}`));
  expect(message.bytesFor(target('x0'))).toBe(message.bytesFor(target('x0')));
  expect(message.bytesFor(target('x99'))).toEqual(message.bytesFor(target('x99')));
  expect(message.bytesFor(target('x99'))).not.toBe(message.bytesFor(target('x99')));
});

it('[WR2] writes the bytes of RFC 6455: one whole unmasked message', () => {
  const short = toWebSocketMessage(Buffer.from('hi'));
  expect([...short]).toEqual([0x81, 2, 0x68, 0x69]);
  expect([...toWebSocketMessage(Buffer.from('hi'), true)]).toEqual([0x82, 2, 0x68, 0x69]);
  const medium = toWebSocketMessage(Buffer.alloc(126, 0x61));
  expect([...medium.subarray(0, 5)]).toEqual([0x81, 126, 0, 126, 0x61]);
  expect(medium).toHaveLength(130);
  expect([...toWebSocketMessage(Buffer.alloc(65_535)).subarray(0, 4)]).toEqual([
    0x81, 126, 0xff, 0xff,
  ]);
  const long = toWebSocketMessage(Buffer.alloc(65_536, 0x61));
  expect([...long.subarray(0, 11)]).toEqual([0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0, 0x61]);
});

/** A room that every subscriber is in. */
async function serveRoom(options: Parameters<typeof serve>[0] = {}) {
  const room = new Group<string>();
  const reasons: EndReason[] = [];
  const served = await serve({
    ...options,
    hooks: {
      onSubscribe: (subscription) => void room.add(subscription),
      onDisconnect: (_session, reason) => void reasons.push(reason),
    },
  });
  return { ...served, room, reasons };
}

async function joined(url: string): Promise<RawClient> {
  const client = await RawClient.connect(url);
  client.send('SUBSCRIBE', 'id:sub-0', 'destination:/room', 'receipt:in');
  await client.expect('RECEIPT');
  return client;
}

/** All writes of this process to a socket; the client writes none meanwhile. */
function spyOnWrites(method: '_write' | '_writev'): Mock {
  return vi.spyOn(Socket.prototype as never, method as never) as unknown as Mock;
}

it.for([100, 4_000])(
  '[WR3] writes what a tick brings at once (bodies of %i bytes)',
  async (size) => {
    const { url, room } = await serveRoom();
    const client = await joined(url);
    const writes = [spyOnWrites('_write'), spyOnWrites('_writev')];
    for (let i = 0; i < 10; i += 1) {
      room.publish(new Message({ messageId: String(i), body: 'x'.repeat(size) }));
    }
    for (let i = 0; i < 10; i += 1) {
      expect((await client.expect('MESSAGE')).headers.get('message-id')).toBe(String(i));
    }
    expect(writes.flatMap((write) => write.mock.calls)).toHaveLength(1);
    vi.restoreAllMocks();
  },
);

it('[WR4] cuts a reader that does not read, while the others read on', async () => {
  const { url, room, reasons, connections } = await serveRoom({ closeTimeoutMs: 200 });
  const [reading, stuck] = [await joined(url), await joined(url)];
  stuck.socket.pause();
  let sent = 0;
  const body = 'x'.repeat(8_000);
  while (reasons.length === 0 && sent < 5_000) {
    room.publish(new Message({ messageId: String(sent), body }));
    expect((await reading.expect('MESSAGE')).headers.get('message-id')).toBe(String(sent));
    sent += 1;
  }
  expect(reasons.map(({ kind }) => kind)).toEqual(['slow-reader']);
  expect(room.size).toBe(1);
  await vi.waitFor(async () => expect(await connections()).toBe(1));
  room.publish(new Message({ messageId: 'still here', body: '' }));
  await reading.expect('MESSAGE');
});

it('[WR4] sends a slow reader that resumes in time the reason for the close', async () => {
  const { url, room, reasons } = await serveRoom({ closeTimeoutMs: 2_000 });
  const stuck = await joined(url);
  stuck.socket.pause();
  for (let sent = 0; reasons.length === 0 && sent < 5_000; sent += 1) {
    room.publish(new Message({ messageId: String(sent), body: 'x'.repeat(8_000) }));
    await new Promise(setImmediate);
  }
  stuck.socket.resume();
  await stuck.closed();
  let last = await stuck.next();
  for (let n = 0; last.command === 'MESSAGE'; n += 1) {
    expect(last.headers.get('message-id')).toBe(String(n));
    last = await stuck.next();
  }
  expect(last.headers.get('message')).toBe('the client does not read fast enough');
});

it('[WR5] writes text, and binary when the body is not UTF-8', async () => {
  const { url, room } = await serveRoom();
  const client = await joined(url);
  const kinds: boolean[] = [];
  client.socket.on('message', (_data, isBinary) => kinds.push(isBinary));
  for (const body of ['모각공', Buffer.from('모각공'), Buffer.from([0xff, 0xfe]), '']) {
    room.publish(new Message({ messageId: '1', body }));
    await client.expect('MESSAGE');
    await new Promise(setImmediate);
  }
  expect(kinds).toEqual([false, false, true, false]);
});

it('[WR6] cuts a client that asks for receipts and does not read them', async () => {
  const { url, reasons } = await serveRoom({ limits: { outgoingBytes: 8_000 } });
  const client = await RawClient.connect(url);
  const begin = `BEGIN\ntransaction:t\nreceipt:${'r'.repeat(1_000)}\n\n\0`;
  const abort = `ABORT\ntransaction:t\nreceipt:${'r'.repeat(1_000)}\n\n\0`;
  client.raw((begin + abort).repeat(6));
  await client.closed();
  await vi.waitFor(() => expect(reasons.map(({ kind }) => kind)).toEqual(['slow-reader']));
});

it('[WR6] cuts a client that collects refusals and does not read them', async () => {
  const ended: string[] = [];
  const { url } = await serve({
    limits: { outgoingBytes: 8_000 },
    hooks: {
      onSend: () => new Refusal('no', { staysOpen: true }),
      onDisconnect: (_session, reason) => void ended.push(reason.kind),
    },
  });
  const client = await RawClient.connect(url);
  client.raw(`SEND\ndestination:/a\nreceipt:${'r'.repeat(1_000)}\n\n\0`.repeat(12));
  await client.closed();
  await vi.waitFor(() => expect(ended).toEqual(['slow-reader']));
});

function statusOf(served: Served, path: string): Promise<IncomingMessage> {
  const { port } = served.http.address() as AddressInfo;
  const headers = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    'Sec-WebSocket-Version': '13',
  };
  const upgrade = request({ host: '127.0.0.1', port, path, headers }).end();
  return once(upgrade, 'response').then(([response]) => response as IncomingMessage);
}

it('[DI6] closes all sessions over a time, takes no more, and resolves when they are gone', async () => {
  const served = await serve();
  const clients = await Promise.all(
    Array.from({ length: 30 }, () => RawClient.connect(served.url)),
  );
  const closedAtMs: number[] = [];
  for (const client of clients) {
    client.socket.on('close', () => closedAtMs.push(performance.now()));
  }
  const stuck = new WebSocket(served.url);
  await once(stuck, 'open');
  stuck.pause();
  const closing = served.stomp.close({ code: 1012, spreadMs: 300 });
  expect((await statusOf(served, '/stomp')).statusCode).toBe(503);
  await closing;
  expect(await served.connections()).toBe(0);
  expect(await Promise.all(clients.map((client) => client.closed()))).toEqual(
    clients.map(() => 1012),
  );
  const spreadMs = Math.max(...closedAtMs) - Math.min(...closedAtMs);
  expect(spreadMs).toBeGreaterThan(150);
});
