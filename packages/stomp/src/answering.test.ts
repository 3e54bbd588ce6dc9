import { expect, it, vi } from 'vitest';
import { RawClient } from '../testing/raw-client.ts';
import { serve } from '../testing/serve.ts';
import { type EndReason, Receipt, Refusal } from './index.ts';

it('[FR14] takes a body with SEND only', async () => {
  const { url } = await serve();
  const client = await RawClient.connect(url);
  client.raw('SUBSCRIBE\nid:0\ndestination:/a\n\nbody\0');
  expect((await client.expect('ERROR')).headers.get('message')).toBe('SUBSCRIBE has no body');
  const early = await RawClient.open(url);
  early.raw('CONNECT\naccept-version:1.2\n\nbody\0');
  expect((await early.expect('ERROR')).headers.get('message')).toBe('CONNECT has no body');
});

it('[SE1] wants a destination', async () => {
  const { url } = await serve();
  const client = await RawClient.connect(url);
  client.sendBody('hi');
  expect((await client.expect('ERROR')).headers.get('message')).toBe('SEND needs destination');
});

it('[SE2] handles the frames of a session one after another, and of others meanwhile', async () => {
  const log: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const { url } = await serve({
    hooks: {
      onSend: async (_session, frame) => {
        const name = frame.body.toString();
        log.push(`begin ${name}`);
        const gate = Promise.withResolvers<void>();
        gates.set(name, gate);
        await gate.promise;
        log.push(`end ${name}`);
      },
      onSubscribe: () => void log.push('subscribe'),
    },
  });
  const [one, two] = [await RawClient.connect(url), await RawClient.connect(url)];
  one.sendBody('1', 'destination:/a');
  one.sendBody('2', 'destination:/a');
  one.send('SUBSCRIBE', 'id:0', 'destination:/a');
  await vi.waitFor(() => expect(log).toEqual(['begin 1']));
  two.sendBody('3', 'destination:/a');
  await vi.waitFor(() => expect(log).toEqual(['begin 1', 'begin 3']));
  for (const name of ['3', '1']) gates.get(name)?.resolve();
  await vi.waitFor(() => expect(log.at(-1)).toBe('begin 2'));
  gates.get('2')?.resolve();
  await vi.waitFor(() => expect(log.at(-1)).toBe('subscribe'));
  expect(log.filter((line) => !line.includes('3'))).toEqual([
    'begin 1',
    'end 1',
    'begin 2',
    'end 2',
    'subscribe',
  ]);
});

it('[RE1] sends RECEIPT when the hook has settled, not before', async () => {
  const stored = Promise.withResolvers<void>();
  const onSend = vi.fn(() => stored.promise);
  const { url } = await serve({ hooks: { onSend } });
  const client = await RawClient.connect(url);
  client.sendBody('hi', 'destination:/a', 'receipt:r:1');
  await vi.waitFor(() => expect(onSend).toHaveBeenCalled());
  client.socket.ping();
  await new Promise((resolve) => client.socket.once('pong', resolve));
  expect(client.waitingFrames).toBe(0);
  stored.resolve();
  expect((await client.expect('RECEIPT')).headers.get('receipt-id')).toBe('r\\c1');
});

it('[RE2] answers a receipt of any frame but CONNECT', async () => {
  const { url } = await serve();
  const client = await RawClient.open(url);
  client.send('CONNECT', 'accept-version:1.2', 'receipt:0');
  await client.expect('CONNECTED');
  const frames: [string, ...string[]][] = [
    ['SUBSCRIBE', 'id:0', 'destination:/a'],
    ['SEND', 'destination:/a'],
    ['BEGIN', 'transaction:t'],
    ['COMMIT', 'transaction:t'],
    ['BEGIN', 'transaction:t'],
    ['ABORT', 'transaction:t'],
    ['UNSUBSCRIBE', 'id:0'],
    ['DISCONNECT'],
  ];
  for (const [command, ...lines] of frames) {
    client.send(command, ...lines, `receipt:${command}`);
    expect((await client.next()).headers.get('receipt-id')).toBe(command);
  }
});

it('[RE4] adds the headers of the application to the RECEIPT of a SEND', async () => {
  const { url } = await serve({
    hooks: { onSend: async () => new Receipt([['message-id', 'a:1']]) },
  });
  const client = await RawClient.connect(url);
  client.sendBody('no receipt asked for', 'destination:/a');
  client.sendBody('hi', 'destination:/a', 'receipt:7');
  expect(Object.fromEntries((await client.expect('RECEIPT')).headers)).toEqual({
    'receipt-id': '7',
    'message-id': 'a\\c1',
  });
  client.send('BEGIN', 'transaction:t');
  client.sendBody('held', 'destination:/a', 'transaction:t', 'receipt:8');
  client.send('COMMIT', 'transaction:t', 'receipt:9');
  for (const receipt of ['8', '9']) {
    expect([...(await client.expect('RECEIPT')).headers]).toEqual([['receipt-id', receipt]]);
  }
});

it('[RE3] [ER1] answers a frame that fails with ERROR and its receipt-id, then closes', async () => {
  const { url } = await serve({ hooks: { onSend: () => new Refusal('too long') } });
  const client = await RawClient.connect(url);
  client.sendBody('hi', 'destination:/a', 'receipt:7');
  client.sendBody('after', 'destination:/a', 'receipt:8');
  const error = await client.expect('ERROR');
  expect(error.headers.get('message')).toBe('too long');
  expect(error.headers.get('receipt-id')).toBe('7');
  expect(await client.closed()).toBe(1008);
  expect(client.waitingFrames).toBe(0);
});

it('[PA9] reads nothing behind a protocol error', async () => {
  const onSend = vi.fn();
  const { url } = await serve({ hooks: { onSend } });
  const client = await RawClient.connect(url);
  client.raw('SEND\ndestination:/a\n\nfine\0SEND\nno colon\n\n\0SEND\ndestination:/a\n\nnever\0');
  client.sendBody('never', 'destination:/a');
  await client.expect('ERROR');
  expect(await client.closed()).toBe(1002);
  expect(onSend.mock.calls.map(([, frame]) => frame.body.toString())).toEqual(['fine']);
});

it.for(['CONNECTED', 'MESSAGE', 'RECEIPT', 'ERROR', 'send', 'constructor', '__proto__'])(
  '[ER2] does not know the command %s',
  async (command) => {
    const { url } = await serve();
    const client = await RawClient.connect(url);
    client.send(command, 'destination:/a', 'receipt:1');
    const error = await client.expect('ERROR');
    expect(error.headers.get('message')).toBe('unknown command');
    expect(error.headers.get('receipt-id')).toBe('1');
    expect(await client.closed()).toBe(1002);
  },
);

it.for(['onConnect', 'onSubscribe', 'onSend'])(
  '[ER3] reports a broken %s to the application, not to the client',
  async (hook) => {
    const onFailure = vi.fn();
    const broken = async () => {
      throw new Error('database password is hunter2');
    };
    const { url } = await serve({ hooks: { [hook]: broken, onFailure } });
    const client = await RawClient.open(url);
    client.send('CONNECT', 'accept-version:1.2');
    if (hook !== 'onConnect') await client.expect('CONNECTED');
    client.send('SUBSCRIBE', 'id:0', 'destination:/a');
    client.sendBody('hi', 'destination:/a');
    const error = await client.expect('ERROR');
    expect(Object.fromEntries(error.headers)).toEqual({ message: 'internal error' });
    expect(await client.closed()).toBe(1011);
    expect(onFailure.mock.calls[0]?.[0].message).toContain('hunter2');
  },
);

it('[ER4] carries the headers, body and close code of a refusal', async () => {
  const { url, sessions } = await serve();
  const client = await RawClient.connect(url);
  const [session] = sessions();
  session?.refuse(
    new Refusal('moved', { headers: [['code', 'MOVED']], body: '다른 탭', closeCode: 4001 }),
  );
  const error = await client.expect('ERROR');
  expect(Object.fromEntries(error.headers)).toEqual({
    message: 'moved',
    'content-type': 'text/plain',
    code: 'MOVED',
    'content-length': '10',
  });
  expect(error.body).toBe('다른 탭');
  expect(await client.closed()).toBe(4001);
});

it('[ER6] writes ERROR without escapes before CONNECTED', async () => {
  const { url } = await serve({
    hooks: { onConnect: () => new Refusal('no:\nreally') },
  });
  const client = await RawClient.open(url);
  client.send('CONNECT', 'accept-version:1.2');
  expect((await client.expect('ERROR')).headers.get('message')).toBe('no: really');
});

it('[DI1] answers DISCONNECT with its receipt and closes', async () => {
  const { url } = await serve();
  const client = await RawClient.connect(url);
  client.send('DISCONNECT', 'receipt:77');
  client.sendBody('after', 'destination:/a', 'receipt:78');
  expect((await client.expect('RECEIPT')).headers.get('receipt-id')).toBe('77');
  expect(await client.closed()).toBe(1000);
  expect(client.waitingFrames).toBe(0);
});

async function serveEnds(hooks = {}) {
  const log: string[] = [];
  const served = await serve({
    hooks: {
      onDisconnect: (session, reason: EndReason) => {
        log.push(`${session.principal} ${reason.kind}`);
      },
      ...hooks,
    },
  });
  return { ...served, log };
}

it('[DI2] calls onDisconnect once for every way to end', async () => {
  const { url, log, sessions, connections } = await serveEnds({ onSend: () => new Refusal('no') });
  const ends: [string, (client: RawClient) => void][] = [
    ['disconnected', (client) => client.send('DISCONNECT')],
    ['connection-lost', (client) => client.socket.terminate()],
    ['connection-lost', (client) => client.socket.close()],
    ['protocol-error', (client) => client.send('NONSENSE')],
    ['refused', (client) => client.sendBody('x', 'destination:/a')],
    ['closed-by-application', () => sessions()[0]?.close()],
  ];
  for (const [kind, end] of ends) {
    const client = await RawClient.connect(url, ['accept-version:1.2', 'login:kim']);
    end(client);
    await client.closed();
    await vi.waitFor(async () => expect(await connections()).toBe(0));
    expect(log.splice(0)).toEqual([`kim ${kind}`]);
  }
});

it('[DI2] waits with onDisconnect for the frame in hand', async () => {
  const stored = Promise.withResolvers<void>();
  const onSend = vi.fn(() => stored.promise);
  const { url, log, connections } = await serveEnds({ onSend });
  const client = await RawClient.connect(url);
  client.sendBody('x', 'destination:/a');
  client.sendBody('never handled', 'destination:/a');
  await vi.waitFor(() => expect(onSend).toHaveBeenCalled());
  client.socket.terminate();
  await vi.waitFor(async () => expect(await connections()).toBe(0));
  expect(log).toEqual([]);
  stored.resolve();
  await vi.waitFor(() => expect(log).toEqual(['guest connection-lost']));
  expect(onSend).toHaveBeenCalledOnce();
});

it('[DI3] calls it too when the connection was lost during onConnect', async () => {
  const answer = Promise.withResolvers<{ principal: string }>();
  const onConnect = vi.fn(() => answer.promise);
  const { url, log, connections } = await serveEnds({ onConnect });
  const client = await RawClient.open(url);
  client.send('CONNECT', 'accept-version:1.2');
  await vi.waitFor(() => expect(onConnect).toHaveBeenCalled());
  client.socket.terminate();
  await vi.waitFor(async () => expect(await connections()).toBe(0));
  expect(log).toEqual([]);
  answer.resolve({ principal: 'kim' });
  await vi.waitFor(() => expect(log).toEqual(['kim connection-lost']));
});

it('[DI4] finishes the frame in hand of a session that the application closes', async () => {
  const stored = Promise.withResolvers<void>();
  const onSend = vi.fn(() => stored.promise);
  const { url, log, sessions } = await serveEnds({ onSend });
  const client = await RawClient.connect(url);
  client.sendBody('1', 'destination:/a', 'receipt:1');
  client.sendBody('2', 'destination:/a', 'receipt:2');
  await vi.waitFor(() => expect(onSend).toHaveBeenCalled());
  sessions()[0]?.close(4002);
  expect(sessions()).toEqual([]);
  stored.resolve();
  expect((await client.next()).headers.get('receipt-id')).toBe('1');
  expect(await client.closed()).toBe(4002);
  expect(onSend).toHaveBeenCalledOnce();
  expect(log).toEqual(['guest closed-by-application']);
});

it('[DI5] waits for it no longer than the drain time', async () => {
  const onSend = vi.fn(() => new Promise<void>(() => {}));
  const { url, sessions } = await serve({ drainTimeoutMs: 50, tickMs: 10, hooks: { onSend } });
  const client = await RawClient.connect(url);
  client.sendBody('1', 'destination:/a', 'receipt:1');
  await vi.waitFor(() => expect(onSend).toHaveBeenCalled());
  sessions()[0]?.close(4002);
  expect(await client.closed()).toBe(4002);
});

it('[DI4] finishes a frame whose own hook closes the session', async () => {
  const { url } = await serve({
    hooks: { onSend: (session) => session.close(4003) },
  });
  const client = await RawClient.connect(url);
  client.sendBody('1', 'destination:/a', 'receipt:1');
  await client.expect('RECEIPT');
  expect(await client.closed()).toBe(4003);
});
