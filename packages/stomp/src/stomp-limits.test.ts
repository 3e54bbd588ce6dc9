import { describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { FakeWire } from '../testing/fake-wire.ts';
import { RawClient } from '../testing/raw-client.ts';
import { serve } from '../testing/serve.ts';
import { type EndReason, Message } from './index.ts';
import { createContext } from './options.ts';
import { Session } from './session.ts';

it('[LI1] answers ERROR to a frame that is too large', async () => {
  const { url } = await serve();
  const client = await RawClient.connect(url);
  client.sendBody('x'.repeat(17_000), 'destination:/a');
  expect((await client.expect('ERROR')).headers.get('message')).toBe(
    'frame larger than 16384 bytes',
  );
  expect(await client.closed()).toBe(1002);
});

it('[LI5] closes a WebSocket with a message above the limit', async () => {
  const reasons: EndReason[] = [];
  const { url } = await serve({
    hooks: { onDisconnect: (_session, reason) => void reasons.push(reason) },
  });
  const client = await RawClient.connect(url);
  client.sendBody('x'.repeat(33_000), 'destination:/a');
  expect(await client.closed()).toBe(1009);
  await vi.waitFor(() => expect(reasons).toHaveLength(1));
});

it('[LI6] makes no more subscriptions than the limit', async () => {
  const { url } = await serve();
  const client = await RawClient.connect(url);
  for (let i = 0; i < 33; i += 1) client.send('SUBSCRIBE', `id:${i}`, 'destination:/a');
  expect((await client.expect('ERROR')).headers.get('message')).toBe('too many subscriptions');
});

it('[LI9] cuts a client that leaves too many messages unacknowledged', async () => {
  const reasons: EndReason[] = [];
  const { url } = await serve({
    limits: { unacknowledged: 3 },
    hooks: {
      onSubscribe: (subscription) => {
        for (let i = 0; i < 5; i += 1) {
          const isTaken = subscription.send(new Message({ messageId: String(i), body: '' }));
          expect(isTaken).toBe(i < 3);
        }
      },
      onDisconnect: (_session, reason) => void reasons.push(reason),
    },
  });
  const client = await RawClient.connect(url);
  client.send('SUBSCRIBE', 'id:0', 'destination:/a', 'ack:client');
  const error = await client.expect('ERROR');
  expect(error.headers.get('message')).toBe('too many messages are not acknowledged');
  await vi.waitFor(() => expect(reasons.map(({ kind }) => kind)).toEqual(['slow-reader']));
});

it('[LI10] lets a burst through and then so many frames a second', async () => {
  const clock = new FakeClock();
  const { url } = await serve({ clock, limits: { framesPerSecond: 20, frameBurst: 40 } });
  const client = await RawClient.connect(url);
  for (let i = 0; i < 38; i += 1) client.sendBody('', 'destination:/a');
  client.sendBody('', 'destination:/a', 'receipt:burst');
  await client.expect('RECEIPT');
  for (let second = 0; second < 3; second += 1) {
    clock.advance(1_000);
    for (let i = 0; i < 19; i += 1) client.sendBody('', 'destination:/a');
    client.sendBody('', 'destination:/a', 'receipt:second');
    await client.expect('RECEIPT');
  }
  for (let i = 0; i < 2; i += 1) client.sendBody('', 'destination:/a');
  expect((await client.expect('ERROR')).headers.get('message')).toBe('too many frames a second');
  expect(await client.closed()).toBe(1002);
});

it('[LI11] stops reading behind a hook at work and goes on without loss', async () => {
  const taken: string[] = [];
  const done = Promise.withResolvers<void>();
  const context = createContext<string, string>({
    hooks: {
      onConnect: () => ({ principal: 'kim' }),
      onSend: async (_session, frame) => {
        taken.push(frame.body.toString().trim());
        await done.promise;
      },
    },
  });
  const wire = new FakeWire();
  const session = new Session('1', wire, context, '');
  session.receive(Buffer.from('CONNECT\naccept-version:1.2\n\n\0'));
  let sent = 0;
  for (; wire.isReading; sent += 1) {
    session.receive(Buffer.from(`SEND\ndestination:/a\n\n${String(sent).padEnd(1_000)}\0`));
  }
  expect(sent).toBeLessThan(20);
  expect(taken).toEqual(['0']);
  done.resolve();
  await vi.waitFor(() => expect(taken).toHaveLength(sent));
  expect(taken).toEqual(Array.from({ length: sent }, (_, i) => String(i)));
  expect(wire.isReading).toBe(true);
  session.close();
});

describe('[LI12] a flood that holds no frames', () => {
  const limits = { framesPerSecond: 20, frameBurst: 40 };
  const floods: [string, (client: RawClient) => void][] = [
    ['line ends', (client) => client.raw('\n')],
    ['empty messages', (client) => client.raw('')],
    ['pings', (client) => client.socket.ping()],
    ['pongs', (client) => client.socket.pong()],
  ];

  it.each(floods)('of %s ends a connection, before CONNECT and after it', async (_, send) => {
    const { url } = await serve({ clock: new FakeClock(), limits });
    for (const client of [await RawClient.open(url), await RawClient.connect(url)]) {
      for (let i = 0; i < 300; i += 1) send(client);
      expect(await client.closed()).toBe(1006);
    }
  });

  it.each(floods)('of %s ends a connection that was refused', async (_, send) => {
    const { url, connections } = await serve({ limits, closeTimeoutMs: 60_000 });
    const client = await RawClient.open(url);
    client.send('SEND');
    await client.expect('ERROR');
    client.socket.pause();
    for (let i = 0; i < 300; i += 1) send(client);
    await vi.waitFor(async () => expect(await connections()).toBe(0));
    client.socket.terminate();
  });

  it('is not seen in the heart-beats and parts of frames of a client within its budget', async () => {
    const clock = new FakeClock();
    const { url } = await serve({ clock, limits });
    const client = await RawClient.connect(url);
    for (let second = 0; second < 5; second += 1) {
      for (let i = 0; i < 20; i += 1) {
        client.raw('\n');
        client.raw('SEND\ndestination:/a\n');
        client.raw(`receipt:${i}\n\n\0`);
        await client.expect('RECEIPT');
      }
      clock.advance(1_000);
    }
  });
});
