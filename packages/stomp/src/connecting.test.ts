import { once } from 'node:events';
import { expect, it, vi } from 'vitest';
import { FakeClock } from '../testing/fake-clock.ts';
import { RawClient } from '../testing/raw-client.ts';
import { serve } from '../testing/serve.ts';
import { Refusal } from './index.ts';

it('[CO1] wants CONNECT or STOMP first', async () => {
  const { url } = await serve();
  for (const command of ['SEND', 'SUBSCRIBE', 'DISCONNECT', 'CONNECTED', 'nonsense']) {
    const client = await RawClient.open(url);
    client.send(command, 'destination:/a');
    const error = await client.expect('ERROR');
    expect(error.headers.get('message')).toBe('the first frame must be CONNECT');
    expect(await client.closed()).toBe(1002);
  }
  const client = await RawClient.open(url);
  client.send('STOMP', 'accept-version:1.2', 'login:a\\cb');
  await client.expect('CONNECTED');
});

it.for([
  ['1.0,1.1,1.2', '1.2'],
  ['1.2,1.1,1.0', '1.2'],
  ['1.1, 1.0', '1.1'],
  ['1.0,1.1,2.0', '1.1'],
  ['1.0', '1.0'],
])('[CO2] of %s takes %s', async ([offered, taken]) => {
  const { url } = await serve();
  const client = await RawClient.open(url);
  client.send('CONNECT', `accept-version:${offered}`);
  expect((await client.expect('CONNECTED')).headers.get('version')).toBe(taken);
});

it('[CO3] speaks 1.0 with a client that names no version', async () => {
  const { url } = await serve();
  const client = await RawClient.open(url);
  client.send('CONNECT', 'login:kim');
  expect((await client.expect('CONNECTED')).headers.get('version')).toBe('1.0');
});

it('[CO4] names its versions to a client without a common one', async () => {
  const onConnect = vi.fn();
  const { url } = await serve({ hooks: { onConnect } });
  const client = await RawClient.open(url);
  client.send('CONNECT', 'accept-version:3.0');
  const error = await client.expect('ERROR');
  expect(error.headers.get('version')).toBe('1.0,1.1,1.2');
  expect(error.body).toContain('Supported protocol versions');
  expect(await client.closed()).toBe(1002);
  expect(onConnect).not.toHaveBeenCalled();
});

it('[CO5] answers with version, heart-beat, session, server and own headers', async () => {
  const { url } = await serve({
    serverName: 'test/1',
    hooks: { onConnect: () => ({ principal: 'kim', headers: [['user-name', 'kim']] }) },
  });
  const [one, two] = await Promise.all([RawClient.open(url), RawClient.open(url)]);
  one.send('CONNECT', 'accept-version:1.2');
  two.send('CONNECT', 'accept-version:1.2');
  const [{ headers }, other] = [await one.expect('CONNECTED'), await two.expect('CONNECTED')];
  expect(headers.get('version')).toBe('1.2');
  expect(headers.get('heart-beat')).toBe('4000,4000');
  expect(headers.get('server')).toBe('test/1');
  expect(headers.get('user-name')).toBe('kim');
  expect(headers.get('session')).toMatch(/^[0-9a-f]{16}-\w+$/);
  expect(other.headers.get('session')).not.toBe(headers.get('session'));
});

it.for([false, true])('[CO6] closes behind a refused CONNECT (staysOpen %s)', async (staysOpen) => {
  const onDisconnect = vi.fn();
  const { url, connections } = await serve({
    hooks: {
      onConnect: async () => new Refusal('who are you?', { staysOpen }),
      onDisconnect,
    },
  });
  const client = await RawClient.open(url);
  client.send('CONNECT', 'accept-version:1.2');
  client.send('SUBSCRIBE', 'id:0', 'destination:/a', 'receipt:1');
  expect((await client.expect('ERROR')).headers.get('message')).toBe('who are you?');
  expect(await client.closed()).toBe(1008);
  expect(client.waitingFrames).toBe(0);
  await vi.waitFor(async () => expect(await connections()).toBe(0));
  expect(onDisconnect).not.toHaveBeenCalled();
});

it('[CO7] gives up on a connection without CONNECT, also one that trickles', async () => {
  const clock = new FakeClock();
  const { url } = await serve({ clock });
  const silent = await RawClient.open(url);
  const trickling = await RawClient.open(url);
  trickling.raw('\n\nCONN');
  trickling.socket.ping();
  await once(trickling.socket, 'pong');
  clock.advance(9_000);
  expect(silent.waitingFrames).toBe(0);
  clock.advance(1_500);
  for (const client of [silent, trickling]) {
    const error = await client.expect('ERROR');
    expect(error.headers.get('message')).toBe('no CONNECT frame within 10 s');
    expect(await client.closed()).toBe(1008);
  }
});

it('[CO8] refuses a second CONNECT', async () => {
  const { url } = await serve();
  for (const again of ['CONNECT', 'STOMP']) {
    const client = await RawClient.connect(url);
    client.send(again, 'accept-version:1.2');
    expect((await client.expect('ERROR')).headers.get('message')).toBe('already connected');
    expect(await client.closed()).toBe(1002);
  }
});

it('[CO9] connects with and without host', async () => {
  const { url } = await serve();
  await RawClient.connect(url, ['accept-version:1.2']);
  await RawClient.connect(url, ['accept-version:1.2', 'host:localhost:3000']);
});

it.for([
  [['v10.stomp', 'v11.stomp', 'v12.stomp'], 'v12.stomp'],
  [['v10.stomp', 'v11.stomp'], 'v11.stomp'],
  [['other', 'v10.stomp'], 'v10.stomp'],
  [[], ''],
] as const)('[CO10] of the sub-protocols %j takes %s', async ([offered, taken]) => {
  const { url } = await serve();
  const client = await RawClient.open(url, [...offered]);
  expect(client.socket.protocol).toBe(taken);
  client.send('CONNECT', 'accept-version:1.2');
  await client.expect('CONNECTED');
});

it('[CO11] gives onConnect what the host learned from the request', async () => {
  const seen: string[] = [];
  const { url } = await serve({
    hooks: {
      onConnect: (frame, handshake) => {
        seen.push(handshake, frame.headers.get('login') ?? '');
        return { principal: 'kim' };
      },
    },
  });
  await RawClient.connect(`${url}?ticket=7`, ['accept-version:1.2', 'login:a:b']);
  expect(seen).toEqual(['/stomp?ticket=7', 'a:b']);
});

it('[CO12] keeps frames that came behind CONNECT until it is answered', async () => {
  const answer = Promise.withResolvers<{ principal: string }>();
  const onSubscribe = vi.fn();
  const onConnect = vi.fn(() => answer.promise);
  const { url } = await serve({ hooks: { onConnect, onSubscribe } });
  const client = await RawClient.open(url);
  client.raw(
    'CONNECT\naccept-version:1.2\n\n\0SUBSCRIBE\nid:0\ndestination:/a\\cb\nreceipt:1\n\n\0',
  );
  await vi.waitFor(() => expect(onConnect).toHaveBeenCalled());
  expect(onSubscribe).not.toHaveBeenCalled();
  answer.resolve({ principal: 'kim' });
  await client.expect('CONNECTED');
  await client.expect('RECEIPT');
  expect(onSubscribe.mock.calls[0]?.[0].destination).toBe('/a:b');
  expect(onSubscribe.mock.calls[0]?.[0].session.principal).toBe('kim');
});

it('[CO13] calls onOpen once for an accepted CONNECT, before CONNECTED', async () => {
  const opened: string[] = [];
  const { url } = await serve({ hooks: { onOpen: (session) => void opened.push(session.id) } });
  const client = await RawClient.open(url);
  client.send('CONNECT', 'accept-version:1.2');
  const { headers } = await client.expect('CONNECTED');
  expect(opened).toEqual([headers.get('session')]);
});
