import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect as openSocket, type Socket } from 'node:net';
import {
  ACCESS_TOKEN_SECONDS,
  destinations,
  logout,
  REALTIME_PATH,
  refresh,
  SOCKETS_PER_USER,
  TOKEN_SUB_PROTOCOL,
  unconnectedLimits,
} from '@mogakgong/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createTestApp, type Learner, type TestApp } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app, clients } = await openTestSite();

const connect = (options: { headers?: Record<string, string>; query?: string }) =>
  clients.connect(app, options);
const bearer = ({ token }: Learner) => ({ headers: { Authorization: `Bearer ${token}` } });

/** The server's response to the upgrade itself; an accepted connection is kept in `kept`. */
function handshake(
  headers: Record<string, string>,
  { at = app, kept, query = '' }: { at?: TestApp; kept?: WebSocket[]; query?: string } = {},
): Promise<number> {
  const { port } = at.http.fastify.server.address() as AddressInfo;
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${REALTIME_PATH}${query}`, { headers });
    socket.on('open', () => {
      resolve(101);
      if (kept) kept.push(socket);
      else socket.close();
    });
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', () => undefined);
  });
}

/** A short text in a WebSocket frame of a client, masked with zeros. */
function clientFrame(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
}

/** Says CONNECT and DISCONNECT; resolves with a socket that does not answer the closing handshake. */
async function disconnectOnly({ token }: Learner): Promise<Socket> {
  const { port } = app.http.fastify.server.address() as AddressInfo;
  const socket = openSocket(port, '127.0.0.1');
  socket.on('error', () => undefined);
  let read = '';
  socket.on('data', (bytes) => {
    read += bytes.toString('latin1');
  });
  socket.write(
    [
      `GET ${REALTIME_PATH} HTTP/1.1`,
      ...['Host: x', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      `Authorization: Bearer ${token}\r\n\r\n`,
    ].join('\r\n'),
  );
  await vi.waitFor(() => expect(read).toContain('101'));
  socket.write(clientFrame('CONNECT\naccept-version:1.2\nhost:x\n\n\0'));
  await vi.waitFor(() => expect(read).toContain('CONNECTED'));
  socket.write(clientFrame('DISCONNECT\nreceipt:bye\n\n\0'));
  await vi.waitFor(() => expect(read).toContain('receipt-id:bye'));
  return socket;
}

describe('the log-in of a connection', () => {
  it('takes the token from the CONNECT frame or the query', async () => {
    const learner = await app.newLearner();
    expect((await connect(bearer(learner))).isConnected).toBe(true);
    expect((await connect({ query: `?access_token=${learner.token}` })).isConnected).toBe(true);
  });

  it('takes it from the Authorization header of the handshake', async () => {
    const learner = await app.newLearner();
    const { port } = app.http.fastify.server.address() as AddressInfo;
    const socket = new WebSocket(`ws://127.0.0.1:${port}${REALTIME_PATH}`, ['v12.stomp'], {
      headers: learner.headers,
    });
    const answer = await new Promise<string>((resolve) => {
      socket.on('open', () => socket.send('CONNECT\naccept-version:1.2\nhost:x\n\n\0'));
      socket.on('message', (data) => resolve(String(data)));
    });
    socket.close();
    expect(answer).toMatch(/^CONNECTED\n/u);
  });

  it.each([
    ['no token', () => ({}), 'unauthorized'],
    ['nonsense', () => ({ headers: { Authorization: 'Bearer nonsense' } }), 'unauthorized'],
  ])('answers %s with an ERROR of the table and closes', async (_what, options, error) => {
    const client = await connect(options());
    expect(client.isConnected).toBe(false);
    expect(client.lastError).toBe(error);
    expect(client.errors[0]?.headers.message).toBe('인증에 실패했습니다.');
    await vi.waitFor(() => expect(client.closeCode).toBe(1008));
  });

  it('answers an expired token with an ERROR and closes', async () => {
    const learner = await app.newLearner();
    app.clock.advance(ACCESS_TOKEN_SECONDS * 1_000 + 1);
    const client = await connect(bearer(learner));
    expect(client.lastError).toBe('unauthorized');
  });

  it('ends with the log-out, within five seconds', async () => {
    const learner = await app.newLearner();
    const client = await connect(bearer(learner));
    await app.inject({
      method: logout.method,
      url: logout.path,
      headers: { cookie: learner.cookie },
    });
    await vi.waitFor(() => expect(client.closeCode).toBeDefined(), { timeout: 5_000 });
    expect(client.lastError).toBe('sessionEnded');
  });

  it('ends when the token expires; with a renewed one the learner comes back', async () => {
    const learner = await app.newLearner();
    const client = await connect(bearer(learner));
    app.clock.advance(ACCESS_TOKEN_SECONDS * 1_000 - 1);
    const later = await connect(bearer(await app.newLearner()));
    await app.runJob('expired connections');
    app.clock.advance(1);
    expect(client.errors).toEqual([]);
    await app.runJob('expired connections');
    await vi.waitFor(() => expect(client.closeCode).toBe(1008));
    expect(client.lastError).toBe('unauthorized');

    const { method, path } = refresh;
    const answer = await app.inject({ method, url: path, headers: { cookie: learner.cookie } });
    const { token } = answer.json<{ token: string }>();
    const again = await connect({ headers: { Authorization: `Bearer ${token}` } });
    await app.runJob('expired connections');
    await Promise.all([again, later].map((open) => open.subscribe(destinations.notices)));
    expect([again.isConnected, later.isConnected]).toEqual([true, true]);
  });

  it('leaves no token in the log', async () => {
    const learner = await app.newLearner();
    await connect({ query: `?access_token=${learner.token}` });
    await connect(bearer(learner));
    expect(app.logLines.join('')).not.toContain(learner.token);
  });
});

describe('the opener of a connection', () => {
  it('is one of our own pages or a program without Origin; other sites get 403', async () => {
    const { port } = app.http.fastify.server.address() as AddressInfo;
    expect(await handshake({ origin: `http://127.0.0.1:${port}` })).toBe(101);
    expect(await handshake({})).toBe(101);
    expect(await handshake({ origin: 'https://evil.example' })).toBe(403);
    expect(await handshake({ origin: 'null' })).toBe(403);
  });

  it('is a learner with at most five connections', async () => {
    const learner = await app.newLearner();
    const five = await Promise.all(Array.from({ length: 5 }, () => connect(bearer(learner))));
    expect(five.every((client) => client.isConnected)).toBe(true);
    expect((await connect(bearer(learner))).lastError).toBe('tooManyConnections');
    five[0]?.cut();
    await vi.waitFor(async () => expect((await connect(bearer(learner))).isConnected).toBe(true));
  });

  it('counts until its socket is closed: a client that says DISCONNECT and stays gains none', async () => {
    const learner = await app.newLearner();
    const silent = await Promise.all(Array.from({ length: 5 }, () => disconnectOnly(learner)));
    expect((await connect(bearer(learner))).lastError).toBe('tooManyConnections');
    silent[0]?.destroy();
    await vi.waitFor(async () => expect((await connect(bearer(learner))).isConnected).toBe(true));
    for (const socket of silent) socket.destroy();
  });
});

describe('a connection is closed with an ERROR', () => {
  const refusal = async (frames: readonly (readonly [string, Record<string, string>])[]) => {
    const client = await connect(bearer(await app.newLearner()));
    await Promise.all(
      frames.map(([body, headers]) => client.send('/pub/nothing', body, headers).catch(() => null)),
    );
    await vi.waitFor(() => expect(client.closeCode).toBeDefined());
    return client.errors.map(({ headers }) => headers.message);
  };
  const manyHeaders = Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`h${at}`, 'x']));

  it.each([
    ['a frame above 16 KB', [['x'.repeat(16 * 1024), {}]], 'frame larger than 16384 bytes'],
    ['more than 64 headers', [['x', manyHeaders]], 'too many headers'],
    [
      '60 frames at once and more',
      Array.from({ length: 120 }, () => ['x', {}]),
      'too many frames a second',
    ],
  ] as const satisfies [string, (readonly [string, Record<string, string>])[], string][])(
    'after %s',
    async (_what, frames, message) => {
      expect(await refusal(frames)).toContain(message);
    },
  );
});

describe('a token that comes with the upgrade', () => {
  it.each([
    ['the query', 'nonsense', {}],
    ['the Authorization header', '', { authorization: 'Bearer nonsense' }],
  ])('in %s is refused there where it is not valid', async (_, token, headers) => {
    expect(await handshake(headers, { query: token && `?access_token=${token}` })).toBe(401);
  });

  it('is refused there where it has expired', async () => {
    const { token, headers } = await app.newLearner();
    app.clock.advance(ACCESS_TOKEN_SECONDS * 1_000 + 1);
    expect(await handshake({}, { query: `?access_token=${token}` })).toBe(401);
    expect(await handshake(headers)).toBe(401);
  });

  it('may be in a sub-protocol, where CONNECT is answered with why it is not valid', async () => {
    const { port } = app.http.fastify.server.address() as AddressInfo;
    const { token } = await app.newLearner();
    const connectBy = async (offered: string) => {
      const subProtocols = ['v12.stomp', `${TOKEN_SUB_PROTOCOL}${offered}`];
      const socket = new WebSocket(`ws://127.0.0.1:${port}${REALTIME_PATH}`, subProtocols);
      socket.on('open', () => socket.send('CONNECT\naccept-version:1.2\nhost:x\n\n\0'));
      const [answer] = await once(socket, 'message');
      socket.close();
      return [socket.protocol, String(answer).split('\n')[0], /error:(\w+)/u.exec(answer)?.[1]];
    };
    expect(await connectBy(token)).toEqual(['v12.stomp', 'CONNECTED', undefined]);
    expect(await connectBy('nonsense')).toEqual(['v12.stomp', 'ERROR', 'unauthorized']);
    expect(app.logLines.join('')).not.toContain(token);
  });
});

describe('a connection without a valid token yet', () => {
  let behindProxy: TestApp;
  const kept: WebSocket[] = [];
  const open = async (address: string, headers: Record<string, string> = {}) => {
    const from = { 'x-forwarded-for': `6.6.6.6, ${address}`, ...headers };
    expect(await handshake(from, { at: behindProxy, kept })).toBe(101);
    return kept.at(-1) as WebSocket;
  };
  const openMany = async (count: number, addressOf: (index: number) => string) => {
    const opened: WebSocket[] = [];
    for (let index = 0; index < count; index += 1) opened.push(await open(addressOf(index)));
    return opened;
  };
  let learners = 0;
  /** Each from a separate address: one address allows few sign-ups. */
  const newLearner = () => behindProxy.newLearner({ 'x-forwarded-for': `8.8.8.${++learners}` });
  const isOpen = ({ readyState }: WebSocket) => readyState === WebSocket.OPEN;
  /** The first, and no other, is closed to make room for the last. */
  const expectFirstClosed = async ([first, ...others]: WebSocket[]) => {
    await vi.waitFor(() => expect(first?.readyState).toBe(WebSocket.CLOSED));
    expect(others.every(isOpen)).toBe(true);
  };
  beforeAll(async () => {
    // A tenth of the limits.
    behindProxy = await createTestApp({ env: { RATE_LIMIT_SCALE: '0.1', TRUST_PROXY: 'true' } });
    await behindProxy.listen();
  });
  afterEach(() => {
    for (const socket of kept.splice(0)) socket.terminate();
  });
  afterAll(() => behindProxy.close());

  it.each([
    ['of its address', 5, () => '1.2.3.4'],
    [
      'of its address, however that is written',
      5,
      (at: number) => (at ? '1.2.3.4' : '::ffff:1.2.3.4'),
    ],
    ['of its /24', 20, (at: number) => `1.3.3.${at}`],
    ['of its /16', 50, (at: number) => `1.4.${at}.1`],
    ['of its /64', 5, (at: number) => `2001:db8::${at}`],
    ['of its /56', 20, (at: number) => `2001:db8:1:a${at.toString(16).padStart(2, '0')}::1`],
    ['of its /48', 50, (at: number) => `2001:db8:2:${at.toString(16)}00::1`],
  ])('is the first to go for a newcomer %s', async (_, most, addressOf) => {
    await expectFirstClosed(await openMany(most + 1, addressOf));
  });

  it('is the first to go in total, of the network that has most', async () => {
    const [elsewhere] = await openMany(1, () => '9.9.9.9');
    const crowd = await openMany(199, (at) => `${10 + Math.floor(at / 10)}.0.${at}.1`);
    const most = await open('10.0.99.1');
    await vi.waitFor(() => expect(crowd[0]?.readyState).toBe(WebSocket.CLOSED));
    expect([elsewhere as WebSocket, most, ...crowd.slice(1)].every(isOpen)).toBe(true);
  });

  it('is closed after three seconds; one with a token has longer', async () => {
    const { headers } = await newLearner();
    const startedAtMs = performance.now();
    const [stranger, learner] = [await open('1.2.3.4'), await open('1.2.3.4', headers)];
    await once(stranger, 'close');
    expect(performance.now() - startedAtMs).toBeGreaterThan(unconnectedLimits.deadlineMs - 500);
    expect(isOpen(learner)).toBe(true);
  });

  it('takes nothing from learners, who are closed only for their own connections', async () => {
    const [learner, other] = [await newLearner(), await newLearner()];
    const own: WebSocket[] = [];
    for (let count = 0; count < 6; count += 1) own.push(await open('1.2.3.4', learner.headers));
    await expectFirstClosed(own);
    const connected = await open('1.2.3.4');
    connected.send(`CONNECT\naccept-version:1.2\nAuthorization:Bearer ${other.token}\n\n\0`);
    await once(connected, 'message');
    await expectFirstClosed(await openMany(6, () => '1.2.3.4'));
    expect([connected, ...own.slice(1)].every(isOpen)).toBe(true);
  });

  it('closes the oldest of many that a learner opens at the same moment', async () => {
    const { headers } = await newLearner();
    await Promise.all(Array.from({ length: 40 }, () => open('1.2.3.4', headers)));
    await vi.waitFor(() => expect(kept.filter(isOpen)).toHaveLength(SOCKETS_PER_USER));
  });
});

describe('destinations', () => {
  it('that nobody serves are refused, and the connection stays', async () => {
    const client = await connect(bearer(await app.newLearner()));
    for (const destination of [
      '/topic/secrets',
      '/topic/messages/1/2',
      '/user/queue/others/1',
      '*',
    ]) {
      await client.subscribe(destination);
      expect(client.lastError).toBe('unknownDestination');
    }
    await client.send('/pub/nothing', {});
    expect(client.lastError).toBe('unknownDestination');
    // Clients only receive there; they cannot publish past the server.
    await client.send(destinations.messages, { content: 'x' });
    expect(client.lastError).toBe('unknownDestination');
    expect(client.isConnected).toBe(true);
  });
});

describe('a second subscription of a connection to one destination', () => {
  it('is refused, and the first stays; after UNSUBSCRIBE there may be another', async () => {
    const [learner, other] = [await app.newLearner(), await app.newLearner()];
    const client = await connect(bearer(learner));
    const first = await client.subscribe(destinations.notices, { id: 'first' });
    const second = await client.subscribe(destinations.notices, { id: 'second' });
    expect(client.lastError).toBe('alreadySubscribed');
    const blockAt = (method: 'PUT' | 'DELETE') =>
      app.inject({ method, url: `/api/blocks/${other.userId}`, headers: learner.headers });
    await blockAt('PUT');
    await vi.waitFor(() => expect(first).toHaveLength(1));
    client.unsubscribe('first');
    const third = await client.subscribe(destinations.notices, { id: 'third' });
    await blockAt('DELETE');
    await vi.waitFor(() => expect(third).toHaveLength(1));
    expect([first.length, second.length, client.errors.length]).toEqual([1, 0, 1]);
  });
});

describe('notices', () => {
  it('tell every tab of a learner their list of blocks, and nobody else', async () => {
    const [learner, other] = [await app.newLearner(), await app.newLearner()];
    const [tab, secondTab, stranger] = await Promise.all([
      connect(bearer(learner)),
      connect(bearer(learner)),
      connect(bearer(other)),
    ]);
    const received = await Promise.all(
      [tab, secondTab, stranger].map((client) => client.subscribe(destinations.notices)),
    );
    await app.inject({
      method: 'PUT',
      url: `/api/blocks/${other.userId}`,
      headers: learner.headers,
    });
    const notice = { kind: 'blocks', blockedIds: [other.userId] };
    await vi.waitFor(() => {
      expect(received[0]?.map(({ body }) => body)).toEqual([notice]);
      expect(received[1]?.map(({ body }) => body)).toEqual([notice]);
    });
    expect(received[2]).toEqual([]);
  });
});
