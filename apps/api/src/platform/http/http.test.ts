import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import {
  errors,
  getProfile,
  login,
  REQUEST_TIMEOUT_MS,
  type RouteDefinition,
  readGroupCalendar,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { routes } from '../../../test/contract-routes.ts';
import { createTestApp, type Learner, signupPayload } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

/** Upper bound for quick operations beside other work. */
const BUSY_MACHINE_MS = 8_000;

const { app } = await openTestSite();
let learner: Learner;
beforeAll(async () => {
  learner = await app.newLearner();
});

const contract: readonly RouteDefinition[] = Object.values(routes);

describe('the contract', () => {
  it('is exactly what is served below /api', async () => {
    const document = (await app.inject('/api/openapi.json')).json<{
      paths: Record<string, Record<string, unknown>>;
    }>();
    const served = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const declared = contract.map(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/gu, '{$1}')}`,
    );
    expect(served.sort()).toEqual(declared.sort());
  });

  it('gives every error its own code', () => {
    const codes = Object.values(errors).map((error) => error.code);
    expect(new Set(codes).size).toBe(codes.length);
  });
});

describe('requests that are not valid', () => {
  const post = (payload: string, contentType = 'application/json') =>
    app.inject({
      method: 'POST',
      url: login.path,
      payload,
      headers: { 'content-type': contentType },
    });

  it.each([
    ['half a document', '{"email":', 'application/json', 'invalidRequest', 400],
    ['nothing', '', 'application/json', 'invalidRequest', 400],
    ['a list', '[]', 'application/json', 'invalidRequest', 400],
    ['a form', 'email=a', 'application/x-www-form-urlencoded', 'unsupportedMediaType', 415],
    [
      'too much',
      JSON.stringify({ email: 'x'.repeat(17_000) }),
      'application/json',
      'tooLarge',
      413,
    ],
    ['plain text', 'hello', 'text/plain', 'unsupportedMediaType', 415],
    [
      'a NUL',
      '{"email":"a\\u0000@b.co","password":"x"}',
      'application/json',
      'invalidRequest',
      400,
    ],
    ['a poisoned prototype', '{"__proto__":{"x":1}}', 'application/json', 'invalidRequest', 400],
  ])('%s', async (_what, payload, contentType, error, status) => {
    const answer = await post(payload, contentType);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ error });
  });

  it('a repeated query parameter is not valid', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: `/api/study-rooms/enter?userId=${learner.userId}&userId=2`,
      headers: learner.headers,
    });
    expect(answer.statusCode).toBe(400);
  });

  it.each(['/api/%ff', '/livekit/rtc/%ff'])(
    '%s, which is no path, is 400 with a body of the table',
    async (url) => {
      const answer = await app.inject(url);
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { message: errors.invalidRequest.ko, error: 'invalidRequest', errorCode: 'C400' },
      ]);
    },
  );

  it('an unknown path below /api is 404 with a body of the table', async () => {
    const answer = await app.inject('/api/nothing/here');
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ errorCode: 'C404' });
  });

  it('an unknown failure is 500 with the catalogue text and its details only in the log', async () => {
    const broken = await createTestApp();
    const { headers } = await broken.newLearner();
    await sql`alter table users rename column nickname to lost`.execute(broken.database);
    const answer = await broken.inject({ url: getProfile.path, headers });
    await broken.close();
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({
      message: '서버 내부 오류가 발생했습니다.',
      error: 'internal',
      errorCode: 'C500',
    });
    const logged = broken.logLines.find((line) => line.includes('"request failed"'));
    expect(logged).toContain(String(answer.headers['x-request-id']));
    expect(logged).toContain('nickname');
  });
});

describe('every answer', () => {
  it('carries the security headers and a request id of its own', async () => {
    const answers = await Promise.all(
      ['/livez', '/api/nothing', '/api/docs', '/api/docs/static/swagger-initializer.js'].map(
        (url) => app.inject(url),
      ),
    );
    expect(answers[3]?.body).toContain('"validatorUrl":null');
    for (const { headers } of answers) {
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toContain('unsafe');
      expect(headers['permissions-policy']).toContain('camera=(self), microphone=()');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['x-powered-by']).toBeUndefined();
    }
    expect(answers[0]?.headers['x-request-id']).not.toBe(answers[1]?.headers['x-request-id']);
  });

  it('is sent over https only once the product is reached that way', async () => {
    const secure = await createTestApp({ env: { PUBLIC_URL: 'https://study.example.org' } });
    const answer = await secure.inject('/livez');
    const loggedIn = await secure.newLearner();
    await secure.close();
    expect(answer.headers['strict-transport-security']).toContain('max-age=31536000');
    expect((await app.inject('/livez')).headers['strict-transport-security']).toBeUndefined();
    expect(loggedIn.cookie).not.toBe('');
  });
});

describe('the log', () => {
  it('writes little of a stranger’s address into the log', async () => {
    app.logLines.splice(0);
    await app.inject({ url: `/api/x?q=${'a'.repeat(10_000)}` });
    await vi.waitFor(() => expect(app.logLines.join('')).toContain('/api/x?q=aaa'));
    expect(app.logLines.join('').length).toBeLessThan(2_000);
  });

  it('notes only calls of the API, which are limited; of everything else faults alone', async () => {
    const { target, port } = await listening();
    const ask = (line: string, host: string) =>
      exchange(port, `${line} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
    await ask('GET /nothing', 'Host: x\r\n');
    await ask('POST /nothing', 'Host: x\r\n');
    await ask('GET /api/nothing', '');
    await ask('GET /api/nothing', 'Host: x\r\n');
    const noted = () =>
      target.logLines.flatMap((line) => {
        const { msg, level, req, res } = JSON.parse(line);
        return msg === 'request' ? [`${level} ${req.method} ${req.url} ${res.statusCode}`] : [];
      });
    await vi.waitFor(() =>
      expect(noted()).toEqual([
        'debug GET /nothing 404',
        'debug POST /nothing 404',
        'debug GET /api/nothing 400',
        'info GET /api/nothing 404',
      ]),
    );
    await target.close();
  });

  it('holds no token, cookie, query credential or address of a calendar', async () => {
    const calendar = 'c'.repeat(22);
    await app.inject({
      url: `/api/user/profile?access_token=${learner.token}&token=${learner.token}`,
      headers: { ...learner.headers, cookie: learner.cookie },
    });
    await app.inject({ url: readGroupCalendar.path.replace(':calendar', calendar) });
    await vi.waitFor(() => expect(app.logLines.join('')).toContain('/api/group-calendars/***'));
    const log = app.logLines.join('');
    expect(log).toContain('access_token=***');
    expect(log).not.toContain(calendar);
    expect(log).not.toContain(learner.token);
    expect(log).not.toContain(learner.cookie.split('=')[1]);
  });
});

describe('limits', () => {
  it('count per route: sign-up stops at five an hour while log-in goes on', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1' } });
    try {
      const signUp = () =>
        limited.inject({ method: 'POST', url: '/api/auth/signup', payload: signupPayload() });
      for (let call = 0; call < 5; call += 1) expect((await signUp()).statusCode).toBe(200);
      const refused = await signUp();
      expect(refused.statusCode).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
      expect(refused.json()).toMatchObject({ message: errors.tooManyRequests.ko });
      const other = await limited.inject({
        method: 'POST',
        url: login.path,
        payload: { email: 'a@example.org', password: 'x' },
      });
      expect(other.statusCode).toBe(401);
    } finally {
      await limited.close();
    }
  });
});

describe('limits of sign-ups and password resets', () => {
  it.each([
    ['a /48', (at: number) => `2001:db8:5:${at.toString(16)}::1`, '2001:db8:6::1'],
    ['a /24', (at: number) => `198.51.100.${at}`, '198.51.101.1'],
  ])('count %s as one, over all its addresses', async (_, addressOf, elsewhere) => {
    // One for each address, five for the network.
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '0.05' } });
    try {
      for (const url of ['/api/auth/signup', '/api/auth/password-reset']) {
        const ask = async (remoteAddress: string) =>
          (await limited.inject({ method: 'POST', url, payload: signupPayload(), remoteAddress }))
            .statusCode;
        const statuses: number[] = [];
        for (let at = 1; at <= 7; at += 1) statuses.push(await ask(addressOf(at)));
        expect([url, statuses]).toEqual([url, [200, 200, 200, 200, 200, 429, 429]]);
        expect([url, await ask(elsewhere)]).toEqual([url, 200]);
      }
    } finally {
      await limited.close();
    }
  });
});

describe('the address of a client', () => {
  it('is the last one that our own proxy added, and a whole /64 of IPv6 is one', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1', TRUST_PROXY: 'true' } });
    const check = (forwarded: string) =>
      limited.inject({
        method: 'POST',
        url: '/api/auth/check-email',
        payload: { email: 'a@example.org' },
        headers: { 'x-forwarded-for': forwarded },
      });
    const statuses = async (addresses: (call: number) => string) => {
      const answers = [];
      for (let call = 0; call < 21; call += 1)
        answers.push((await check(addresses(call))).statusCode);
      return answers;
    };
    try {
      expect((await statuses((call) => `10.9.${call}.7, 203.0.113.9`)).at(-1)).toBe(429);
      expect((await statuses((call) => `2001:db8:1:2::${call + 1}`)).at(-1)).toBe(429);
      expect((await check('2001:db8:1:3::1')).statusCode).toBe(200);
      expect((await check('203.0.113.10')).statusCode).toBe(200);
      // Some proxies append the port, or text that is no address.
      expect((await statuses((call) => `203.0.113.20:${call + 1_000}`)).at(-1)).toBe(429);
      expect((await statuses((call) => `[2001:db8:1:4::1]:${call + 1_000}`)).at(-1)).toBe(429);
      expect((await statuses((call) => `unknown-${call}`)).at(-1)).toBe(429);
    } finally {
      await limited.close();
    }
  });
});

describe('the address of the site', () => {
  it('of a proxy that hands on none is an invalid request', async () => {
    const proxied = await createTestApp({ env: { TRUST_PROXY: 'true' } });
    try {
      for (const headers of [{ 'x-forwarded-host': 'a b' }, { 'x-forwarded-proto': '1' }]) {
        const url = '/api/auth/passkey/options';
        const answer = await proxied.inject({ method: 'POST', url, headers });
        expect(answer.json()).toMatchObject({ error: 'invalidRequest' });
      }
    } finally {
      await proxied.close();
    }
  });
});

describe('health', () => {
  it('/livez says that the process lives, /readyz whether it can serve', async () => {
    expect((await app.inject('/livez')).json()).toEqual({ status: 'live' });
    const ready = await app.inject('/readyz');
    expect(ready.statusCode).toBe(200);
    expect(ready.json()).toMatchObject({ status: 'ready', checks: { database: { state: 'up' } } });
  });

  it('/readyz waits for nothing, also when every connection of the pool is in use', async () => {
    const target = await createTestApp({ databaseOptions: { poolSize: 1 } });
    const held = await target.database.startTransaction().execute();
    target.queries.splice(0);
    expect((await target.inject('/readyz')).statusCode).toBe(200);
    expect(target.queries).toEqual([]);
    await held.rollback().execute();
    await target.close();
  });

  it('is degraded, yet ready, without media', async () => {
    const degraded = await createTestApp({
      mediaServer: null,
    });
    const answer = await degraded.inject('/readyz');
    await degraded.close();
    expect([answer.statusCode, answer.json<{ status: string }>().status]).toEqual([
      200,
      'degraded',
    ]);
  });
});

/** The server's response to bytes on a separate connection, until it closes it. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

async function listening(options: Parameters<typeof createTestApp>[0] = {}) {
  const target = await createTestApp(options);
  await target.listen();
  return { target, port: (target.http.fastify.server.address() as AddressInfo).port };
}

describe('a connection', () => {
  const loginHead = `POST ${login.path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`;

  it('has ten seconds for the headers of a request, and for its body', async () => {
    const { target, port } = await listening();
    const startedAtMs = performance.now();
    const partial = [
      'GET /livez HTTP/1.1\r\nHost: x\r\nX-Slow:',
      `${loginHead}Content-Length: 100\r\n\r\n{"email":`,
    ];
    const answers = await Promise.all(partial.map((bytes) => exchange(port, bytes)));
    const tookMs = performance.now() - startedAtMs;
    expect(answers.map((answer) => answer.split(' ')[1])).toEqual(['408', '408']);
    expect(tookMs).toBeGreaterThan(REQUEST_TIMEOUT_MS - 500);
    expect(tookMs).toBeLessThan(REQUEST_TIMEOUT_MS + BUSY_MACHINE_MS);
    await target.close();
  });

  /** Connections that send nothing. */
  const openIdle = async (port: number, addresses: readonly string[]) => {
    const opened: Socket[] = [];
    for (const localAddress of addresses) {
      const socket = connect({ port, host: '127.0.0.1', localAddress });
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      opened.push(socket);
    }
    return opened;
  };
  const isLive = async (port: number) =>
    (await exchange(port, 'GET /livez HTTP/1.0\r\n\r\n')).includes(' 200 ');

  it.each([
    ['an address', 5, () => '127.0.0.1'],
    ['a /24', 15, (at: number) => `127.7.7.${at + 1}`],
    ['a /16', 30, (at: number) => `127.8.${at}.1`],
  ])('that is idle makes room for one more of %s', async (_, most, addressOf) => {
    const { target, port } = await listening({ env: { RATE_LIMIT_SCALE: '0.01' } });
    const addresses = Array.from({ length: most + 1 }, (_none, at) => addressOf(at));
    const [first, ...others] = await openIdle(port, addresses);
    await vi.waitFor(() => expect(first?.closed).toBe(true));
    expect(await isLive(port)).toBe(true);
    expect(others.filter(({ closed }) => closed).length).toBeLessThanOrEqual(1);
    for (const socket of others) socket.destroy();
    await target.close();
  });

  it('that is busy longest makes room where none of its address is idle', async () => {
    const { target, port } = await listening({ env: { RATE_LIMIT_SCALE: '0.01' } });
    const busy = await openIdle(
      port,
      Array.from({ length: 5 }, () => '127.0.0.1'),
    );
    for (const socket of busy) {
      socket.write(`${loginHead}Expect: 100-continue\r\nContent-Length: 100\r\n\r\n`);
      await once(socket, 'data');
    }
    expect(await isLive(port)).toBe(true);
    expect(busy.map(({ closed }) => closed)).toEqual([true, false, false, false, false]);
    expect(target.http.connections.figures()).toMatchObject({ closed: 1, refused: 0 });
    for (const socket of busy) socket.destroy();
    await target.close();
  });

  it('asks one host', async () => {
    const { target, port } = await listening();
    const hosts = 'Host: study.example.org\r\nHost: evil.example\r\n';
    for (const rest of [
      'GET / HTTP/1.1\r\n',
      'GET /livez HTTP/1.1\r\n',
      'GET /ws/websocket HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n',
    ]) {
      const closing = rest.includes('Upgrade') ? '' : 'Connection: close\r\n';
      const answer = await exchange(port, `${rest}${hosts}${closing}\r\n`);
      expect([rest, answer.split(' ')[1]]).toEqual([rest, '400']);
    }
    await target.close();
  });

  it('that its client resets is no failure of the server', async () => {
    const { target, port } = await listening();
    const body = '{"email":"a@example.org","password":"x"}';
    for (let round = 0; round < 50; round += 1) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      const length = round % 2 === 0 ? body.length : body.length + 1;
      socket.write(`${loginHead}Content-Length: ${length}\r\n\r\n${body}`);
      await new Promise((resolve) => setImmediate(resolve));
      socket.resetAndDestroy();
    }
    expect((await exchange(port, 'GET /livez HTTP/1.0\r\n\r\n')).split(' ')[1]).toBe('200');
    await target.close();
    expect(target.logLines.filter((line) => line.includes('request failed'))).toEqual([]);
  });
});

describe('upgrades', () => {
  it('survive targets that are no paths, from any client', async () => {
    const target = await createTestApp();
    await target.listen();
    const { port } = target.http.fastify.server.address() as AddressInfo;
    const ask = async (path: string) => {
      const socket = connect(port, '127.0.0.1');
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      );
      const [answer] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return Number(answer.toString().split(' ')[1]);
    };
    for (const path of [
      '//',
      '///x',
      'http://[',
      '*',
      '/%',
      '/livekit/rtcfoo',
      '/livekit/rtc/../twirp',
    ]) {
      expect([path, await ask(path)]).toEqual([path, 404]);
    }
    for (const path of ['/ws/websocket?%', '/ws/websocket']) {
      expect([path, await ask(path)]).toEqual([path, 400]);
    }
    expect((await target.inject('/livez')).statusCode).toBe(200);
    await target.close();
  });
});

describe('closing', () => {
  it('does not wait for WebSockets that stay open', async () => {
    const closing = await createTestApp();
    const upgraded = Promise.withResolvers<void>();
    closing.http.onUpgrade('/livekit-like', (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
      upgraded.resolve();
    });
    await closing.listen();
    const { port } = closing.http.fastify.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'GET /livekit-like HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    );
    await upgraded.promise;
    const closed = once(socket, 'close');
    socket.resume();
    await closing.close();
    await closed;
  });
});
