import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  ACCESS_TOKEN_SECONDS,
  errors,
  getProfile,
  HOUR_MS,
  login,
  logout,
  MINUTE_MS,
  putFocusSettings,
  REFRESH_TOKEN_SECONDS,
  reauthenticate,
  refresh,
  signup,
  uploadImage,
} from '@mogakgong/contract';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { formOf } from '../../../test/form.ts';
import { newJpeg } from '../../../test/pictures.ts';
import {
  AUTH_SECRET,
  cookieOf,
  createTestApp,
  type Learner,
  PASSWORD,
  signupPayload,
  type TestApp,
} from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app } = await openTestSite();
/** Bodies of requests that change something of a learner. */
const bodies = {
  JSON: {
    payload: Buffer.from(
      JSON.stringify({ timeZone: 'Asia/Seoul', dayStartMinutes: 0, startsOnEntering: true }),
    ),
    headers: { 'content-type': 'application/json' },
  },
  form: await formOf([{ bytes: await newJpeg() }]),
};

const logIn = (email: string, password: string, remoteAddress = '127.0.0.1') =>
  app.inject({
    method: login.method,
    url: login.path,
    payload: { email, password },
    remoteAddress,
  });
const refreshWith = (cookie: string) =>
  app.inject({ method: refresh.method, url: refresh.path, headers: { cookie } });
const profileWith = (token: string) =>
  app.inject({ url: getProfile.path, headers: { authorization: `Bearer ${token}` } });

describe('log-in', () => {
  it('answers a token with the userId claim that lasts 15 minutes, and an HttpOnly strict cookie', async () => {
    const learner = await app.newLearner();
    const answer = await logIn(learner.email.toUpperCase(), PASSWORD);
    const { token } = answer.json<{ token: string }>();
    const claims = decodeJwt(token);
    expect(claims.userId).toBe(learner.userId);
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(ACCESS_TOKEN_SECONDS);
    expect([answer.headers['set-cookie']].flat()).toEqual([
      expect.stringMatching(/^mogakgong_refresh=.*; HttpOnly; SameSite=Strict$/u),
      expect.stringMatching(/^mogakgong_browser=.*; HttpOnly; SameSite=Strict$/u),
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('says the same for a wrong password and an unknown address', async () => {
    const learner = await app.newLearner();
    const wrong = await logIn(learner.email, 'Wrong-lamp-42');
    const unknown = await logIn('nobody@example.org', PASSWORD);
    expect(wrong.json()).toEqual(unknown.json());
    expect(wrong.statusCode).toBe(401);
    expect(unknown.statusCode).toBe(401);
  });

  it('knows an account by one spelling: no other letter becomes one of its own', async () => {
    const email = `ki${crypto.randomUUID()}@example.org`;
    await app.inject({
      method: signup.method,
      url: signup.path,
      payload: { ...signupPayload(), email },
    });
    expect((await logIn(` ${email.toUpperCase()} `, PASSWORD)).statusCode).toBe(200);
    // İ has two lower cases: `i` to PostgreSQL, two code points to JavaScript. K is the Kelvin sign.
    for (const other of [email.replace('i', 'İ'), email.replace('k', '\u212a')]) {
      expect([other, (await logIn(other, PASSWORD)).statusCode]).toEqual([other, 401]);
    }
  });

  it('needs both fields', async () => {
    const answer = await logIn('someone@example.org', '');
    expect(answer.json()).toMatchObject({ message: errors.loginFieldsMissing.ko });
  });
});

describe('the refresh token', () => {
  const nextCookie = async (cookie: string) => {
    const answer = await refreshWith(cookie);
    expect(answer.statusCode).toBe(200);
    return cookieOf(answer.headers['set-cookie']);
  };

  it('rotates: each exchange gives a new pair', async () => {
    const learner = await app.newLearner();
    const second = await nextCookie(learner.cookie);
    const third = await nextCookie(second);
    expect(new Set([learner.cookie, second, third]).size).toBe(3);
  });

  it('may be exchanged again while its successor is unused: the answer may have been lost', async () => {
    const learner = await app.newLearner();
    await nextCookie(learner.cookie);
    const again = await nextCookie(learner.cookie);
    await nextCookie(again);
  });

  it('ends the whole log-in when it comes back after its successor was used', async () => {
    const learner = await app.newLearner();
    const second = await nextCookie(learner.cookie);
    const third = await nextCookie(second);
    app.logLines.length = 0;
    const thief = await refreshWith(learner.cookie);
    const log = app.logLines.join('');
    expect(log).toContain('a replaced refresh token was used');
    expect(log).not.toContain(String(decodeJwt(learner.token).sid));
    expect(thief.json()).toMatchObject({ error: 'sessionEnded' });
    expect((await refreshWith(third)).statusCode).toBe(401);
    expect((await profileWith(learner.token)).statusCode).toBe(401);
  });

  it('ends nothing when it was invented for the id of a log-in', async () => {
    const learner = await app.newLearner();
    const sessionId = String(decodeJwt(learner.token).sid);
    const invented = `mogakgong_refresh=${sessionId}.${'x'.repeat(43)}`;
    const { method, path: url } = logout;
    expect((await refreshWith(invented)).json()).toMatchObject({ error: 'sessionEnded' });
    await app.inject({ method, url, headers: { cookie: invented } });
    expect((await profileWith(learner.token)).statusCode).toBe(200);
    expect((await refreshWith(learner.cookie)).statusCode).toBe(200);
  });

  it('ends the log-in by a log-out with any token that was issued for it', async () => {
    const learner = await app.newLearner();
    await nextCookie(await nextCookie(learner.cookie));
    const { method, path: url } = logout;
    await app.inject({ method, url, headers: { cookie: learner.cookie } });
    expect((await profileWith(learner.token)).statusCode).toBe(401);
  });

  it('is refused when it is unknown, absent or expired', async () => {
    const learner = await app.newLearner();
    expect((await refreshWith('mogakgong_refresh=nonsense')).statusCode).toBe(401);
    expect((await refreshWith('')).statusCode).toBe(401);
    app.clock.advance(REFRESH_TOKEN_SECONDS * 1_000 + 1);
    const late = await refreshWith(learner.cookie);
    expect(late.statusCode).toBe(401);
    expect(late.headers['set-cookie']).toMatch(/mogakgong_refresh=;/u);
  });

  it('does not make the database larger, however often it is exchanged', async () => {
    const learner = await app.newLearner();
    const rowsOf = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from login_session where user_id = ${learner.userId}`.execute(
        app.database,
      );
      return rows[0]?.count;
    };
    let { cookie } = learner;
    for (let exchange = 0; exchange < 300; exchange += 1) cookie = await nextCookie(cookie);
    expect(await rowsOf()).toBe(1);
  });

  it('is not exchanged for longer than 180 days, however often it was used', async () => {
    const limited = await createTestApp();
    try {
      const learner = await limited.newLearner();
      let { cookie } = learner;
      const exchange = async () => {
        const answer = await limited.inject({
          method: refresh.method,
          url: refresh.path,
          headers: { cookie },
        });
        cookie = cookieOf(answer.headers['set-cookie']);
        return answer.statusCode;
      };
      const dayMs = 24 * 60 * 60_000;
      for (let day = 0; day < 175; day += 25) {
        limited.clock.advance(25 * dayMs);
        expect([day, await exchange()]).toEqual([day, 200]);
      }
      limited.clock.advance(5 * dayMs);
      expect(await exchange()).toBe(401);

      await limited.runJob('expired log-ins');
      const { rows } = await sql`select id from login_session`.execute(limited.database);
      expect(rows).toEqual([]);
    } finally {
      await limited.close();
    }
  });

  it('survives five exchanges at the same moment', async () => {
    const learner = await app.newLearner();
    const answers = await Promise.all(Array.from({ length: 5 }, () => refreshWith(learner.cookie)));
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200, 200]);
  });
});

describe('log-out', () => {
  it('ends the log-in at once, for the access token too', async () => {
    const learner = await app.newLearner();
    const answer = await app.inject({
      method: logout.method,
      url: logout.path,
      headers: { cookie: learner.cookie },
    });
    expect(answer.json()).toEqual({ loggedOut: true });
    expect((await profileWith(learner.token)).statusCode).toBe(401);
    expect((await refreshWith(learner.cookie)).statusCode).toBe(401);
  });

  it('ends the log-in of an access token that comes without the cookie', async () => {
    const learner = await app.newLearner();
    const { method, path: url } = logout;
    const answer = await app.inject({ method, url, headers: learner.headers });
    expect(answer.json()).toEqual({ loggedOut: true });
    expect((await profileWith(learner.token)).statusCode).toBe(401);
    expect((await refreshWith(learner.cookie)).statusCode).toBe(401);
  });

  it.each([
    ['JSON', putFocusSettings],
    ['form', uploadImage],
  ])('refuses a request whose body, %s, comes after it', async (type, { method, path }) => {
    const body = bodies[type as keyof typeof bodies];
    const { headers, cookie } = await app.newLearner();
    const { server } = app.http.fastify;
    const { port } = server.address() as AddressInfo;
    const arrived = once(server, 'request');
    const sent = request({
      ...{ port, method, path },
      headers: { ...headers, ...body.headers, 'content-length': body.payload.length },
    });
    // The refusal may come before the whole body.
    const answered = once(sent, 'response');
    sent.on('error', () => undefined);
    sent.write(body.payload.subarray(0, 9));
    await arrived;
    await app.inject({ method: logout.method, url: logout.path, headers: { cookie } });
    sent.end(body.payload.subarray(9));
    const [answer] = (await answered) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(401);
  });

  it('ends the tokens of a process whose clock was ahead, for as long as they are valid', async () => {
    const ahead = await createTestApp({ besides: app });
    const exchange = async ({ inject }: TestApp, cookie: string) => {
      const { method, path: url } = refresh;
      const answer = await inject({ method, url, headers: { cookie } });
      return { token: answer.json().token, cookie: cookieOf(answer.headers['set-cookie']) };
    };
    const refusedAt = async ({ inject }: TestApp, token: string) =>
      (await inject({ url: getProfile.path, headers: { authorization: `Bearer ${token}` } }))
        .statusCode === 401;
    try {
      const learner = await app.newLearner();
      ahead.clock.advance(2 * HOUR_MS);
      const { token, cookie } = await exchange(ahead, learner.cookie);
      const { cookie: latest } = await exchange(app, cookie);
      ahead.clock.advance(-2 * HOUR_MS);
      await app.inject({ method: logout.method, url: logout.path, headers: { cookie: latest } });
      for (let minute = 0; minute < 135; minute += 5) {
        for (const each of [app, ahead]) {
          await each.runJob('ended log-ins');
          await app.inject({
            method: logout.method,
            url: logout.path,
            headers: (await app.newLearner()).headers,
          });
          expect([minute, await refusedAt(each, token)]).toEqual([minute, true]);
          each.clock.advance(5 * MINUTE_MS);
        }
      }
    } finally {
      await ahead.close();
    }
  });

  it.each([
    ['nothing', {}],
    [
      'a cookie of nobody',
      { cookie: `mogakgong_refresh=${crypto.randomUUID()}.${'x'.repeat(43)}` },
    ],
    ['nonsense', { cookie: 'mogakgong_refresh=nonsense', authorization: 'Bearer nonsense' }],
  ])('with %s changes nothing', async (_what, headers) => {
    const answer = await app.inject({ method: logout.method, url: logout.path, headers });
    expect(answer.statusCode).toBe(200);
  });
});

describe('the refresh cookie', () => {
  it.each([refresh, logout])('$path refuses it from a page of another site', async (route) => {
    const learner = await app.newLearner();
    const send = (origin: string) =>
      app.inject({
        method: route.method,
        url: route.path,
        headers: { cookie: learner.cookie, host: 'study.example.org', origin },
      });
    for (const foreign of [
      'https://evil.example',
      'null',
      'https://study.example.org.evil.example',
    ]) {
      const answer = await send(foreign);
      expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([403, undefined]);
    }
    expect((await profileWith(learner.token)).statusCode).toBe(200);
    expect((await send('https://study.example.org')).statusCode).toBe(200);
  });

  it('can be set by no other host of the domain once the product is reached over https', async () => {
    const secure = await createTestApp({ env: { PUBLIC_URL: 'https://study.example.org' } });
    try {
      const { email, cookie } = await secure.newLearner();
      const payload = { email, password: PASSWORD };
      const loggedIn = await secure.inject({ method: login.method, url: login.path, payload });
      for (const [index, name] of ['refresh', 'browser'].entries()) {
        const expected = `^__Host-mogakgong_${name}=\\S+; Max-Age=\\d+; Path=/; HttpOnly; Secure; SameSite=Strict$`;
        expect(loggedIn.headers['set-cookie']?.[index]).toMatch(new RegExp(expected, 'u'));
      }
      const refreshed = await secure.inject({
        method: refresh.method,
        url: refresh.path,
        headers: { cookie, origin: 'https://study.example.org' },
      });
      expect(refreshed.statusCode).toBe(200);
    } finally {
      await secure.close();
    }
  });
});

describe('an access token', () => {
  const key = new TextEncoder().encode(AUTH_SECRET);
  const hour = 3_600;
  const ours = { alg: 'HS256', typ: 'at+jwt' };
  const signed = (
    learner: Learner,
    change: (jwt: SignJWT) => SignJWT,
    { header = ours, signer = key } = {},
  ) =>
    change(
      new SignJWT({ userId: learner.userId, sid: 'x' })
        .setProtectedHeader(header)
        .setIssuer('mogakgong')
        .setAudience('mogakgong-api')
        .setIssuedAt()
        .setExpirationTime(Math.floor(app.clock.now().getTime() / 1_000) + hour),
    ).sign(signer);

  it('is accepted when it is ours', async () => {
    const learner = await app.newLearner();
    expect((await profileWith(await signed(learner, (jwt) => jwt))).statusCode).toBe(200);
  });

  it('is refused when expired, from elsewhere, for another audience, of another type, unsigned or nonsense', async () => {
    const learner = await app.newLearner();
    const nowSeconds = Math.floor(app.clock.now().getTime() / 1_000);
    const forged = [
      await signed(learner, (jwt) => jwt.setExpirationTime(nowSeconds - 1)),
      await signed(learner, (jwt) => jwt.setIssuer('elsewhere')),
      await signed(learner, (jwt) => jwt.setAudience('media')),
      await signed(learner, (jwt) => jwt, { header: { ...ours, typ: 'JWT' } }),
      await signed(learner, (jwt) => jwt, { header: { ...ours, alg: 'HS512' } }),
      await signed(learner, (jwt) => jwt, {
        signer: new TextEncoder().encode('another secret, also long enough'),
      }),
      new UnsecuredJWT({ userId: learner.userId, sid: 'x' }).setExpirationTime('1h').encode(),
      'nonsense',
      `${learner.token.slice(0, -4)}AAAA`,
    ];
    for (const token of forged) {
      const answer = await profileWith(token);
      expect(answer.json()).toMatchObject({ error: 'unauthorized', errorCode: 'C401' });
    }
    const withoutScheme = await app.inject({
      url: getProfile.path,
      headers: { authorization: learner.token },
    });
    expect(withoutScheme.statusCode).toBe(401);
  });

  it('expires by the server’s clock, also when it was accepted a moment before', async () => {
    const learner = await app.newLearner();
    expect((await profileWith(learner.token)).statusCode).toBe(200);
    app.clock.advance(ACCESS_TOKEN_SECONDS * 1_000 + 1);
    expect((await profileWith(learner.token)).statusCode).toBe(401);
  });
});

describe('guessing passwords', () => {
  it('is slowed per account and address block, more each time, and never locks the owner out', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1', TRUST_PROXY: 'false' } });
    try {
      const learner = await limited.newLearner();
      const guess = (remoteAddress: string, password: string) =>
        limited.inject({
          method: login.method,
          url: login.path,
          payload: { email: learner.email, password },
          remoteAddress,
        });
      for (let attempt = 0; attempt < 10; attempt += 1) {
        expect((await guess('203.0.113.5', 'Wrong-lamp-1')).statusCode).toBe(401);
      }
      const blocked = await guess('203.0.113.77', PASSWORD);
      expect(blocked.statusCode).toBe(429);
      expect(blocked.json()).toMatchObject({ errorCode: 'C429' });
      const firstWaitSeconds = Number(blocked.headers['retry-after']);
      expect(firstWaitSeconds).toBeGreaterThan(0);

      expect((await guess('198.51.100.9', PASSWORD)).statusCode).toBe(200);

      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + firstWaitSeconds * 1_000 + 1 });
      expect((await guess('203.0.113.5', 'Wrong-lamp-1')).statusCode).toBe(401);
      const later = await guess('203.0.113.5', PASSWORD);
      expect(Number(later.headers['retry-after'])).toBeGreaterThan(firstWaitSeconds);
    } finally {
      vi.useRealTimers();
      await limited.close();
    }
  });

  it('is stopped per address block over all accounts; log-ins that are right do not count', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1' } });
    try {
      const learner = await limited.newLearner();
      const attempt = (email: string, remoteAddress: string, password = PASSWORD) =>
        limited.inject({
          method: login.method,
          url: login.path,
          payload: { email, password },
          remoteAddress,
        });
      for (let right = 0; right < 15; right += 1) {
        expect((await attempt(learner.email, '198.51.100.1')).statusCode).toBe(200);
      }
      const guesses = await Promise.all(
        Array.from({ length: 101 }, (_, index) =>
          attempt(`victim${index}@example.org`, `198.51.100.${index + 1}`),
        ),
      );
      const statuses = guesses.map((answer) => answer.statusCode);
      expect(statuses.filter((status) => status === 401)).toHaveLength(100);
      expect((await attempt(learner.email, '198.51.100.1')).statusCode).toBe(429);
      expect((await attempt(learner.email, '198.51.101.1')).statusCode).toBe(200);
    } finally {
      await limited.close();
    }
  });

  /** Guesses on a site with its usual limits, or a part of them. */
  async function withLimits(scale: string, work: (limited: TestApp) => Promise<void>) {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: scale } });
    await work(limited).finally(() => limited.close());
  }
  const guessAt = (limited: TestApp, email: string, remoteAddress: string, given: object = {}) => {
    const { password = 'Wrong-lamp-1', cookie } = given as { password?: string; cookie?: string };
    return limited.inject({
      method: login.method,
      url: login.path,
      payload: { email, password },
      remoteAddress,
      headers: cookie === undefined ? {} : { cookie },
    });
  };

  it.each([
    ['300 /24s', (at: number) => `198.${at % 250}.${Math.floor(at / 250)}.7`],
    ['60 /64s of one /48', (at: number) => `2001:db8:5:${at.toString(16)}::1`],
  ])(
    'is stopped per account over all addresses (%s), and known browsers go on',
    async (_, addressOf) => {
      await withLimits('1', async (limited) => {
        const { email } = await limited.newLearner();
        const first = await guessAt(limited, email, '192.0.2.1', { password: PASSWORD });
        const cookie = cookieOf([first.headers['set-cookie']].flat()[1]);
        const statuses: number[] = [];
        for (let at = 0; at < 60; at += 1) {
          statuses.push((await guessAt(limited, email, addressOf(at))).statusCode);
        }
        expect(statuses.filter((status) => status === 401)).toHaveLength(30);
        const stranger = await guessAt(limited, email, '203.0.113.1', { password: PASSWORD });
        expect([stranger.statusCode, Number(stranger.headers['retry-after']) > 0]).toEqual([
          429,
          true,
        ]);
        const unknown = await guessAt(limited, email, '203.0.113.2', {
          password: PASSWORD,
          cookie: 'mogakgong_browser=of-somebody-else',
        });
        expect(unknown.statusCode).toBe(429);
        const known = await guessAt(limited, email, addressOf(0), { password: PASSWORD, cookie });
        expect(known.statusCode).toBe(200);
        for (let wrong = 0; wrong < 10; wrong += 1) {
          expect((await guessAt(limited, email, '192.0.2.1', { cookie })).statusCode).toBe(401);
        }
        expect((await guessAt(limited, email, '192.0.2.1', { cookie })).statusCode).toBe(429);
      });
    },
  );

  it('of one account with the right password stops after twenty, in known browsers and in others', async () => {
    await withLimits('1', async (limited) => {
      const { email } = await limited.newLearner();
      const right = { password: PASSWORD };
      const first = await guessAt(limited, email, '192.0.2.1', right);
      const cookie = cookieOf([first.headers['set-cookie']].flat()[1]);
      const many = (given: object) =>
        Promise.all(
          Array.from({ length: 30 }, (_, at) => guessAt(limited, email, `198.51.${at}.1`, given)),
        );
      const known = await many({ ...right, cookie });
      expect(known.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20);
      const refused = known.filter(({ statusCode }) => statusCode === 429);
      expect(refused).toHaveLength(10);
      const waitSeconds = Number(refused[0]?.headers['retry-after']);
      expect(waitSeconds).toBeGreaterThan(0);
      expect(waitSeconds).toBeLessThanOrEqual(600);
      // The sign-up's own log-in and the first one were strangers'.
      const strangers = await many(right);
      expect(strangers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(18);
    });
  });

  it('with wrong passwords leaves the count of right ones alone', async () => {
    await withLimits('1', async (limited) => {
      const { email } = await limited.newLearner();
      const right = { password: PASSWORD };
      for (let wrong = 0; wrong < 25; wrong += 1) {
        await guessAt(limited, email, `198.51.${wrong}.1`);
      }
      expect((await guessAt(limited, email, '203.0.113.1', right)).statusCode).toBe(200);
    });
  });

  it('is stopped per account over all addresses whether there is an account or not', async () => {
    await withLimits('1', async (limited) => {
      const statuses: number[] = [];
      for (let at = 0; at < 40; at += 1) {
        const { statusCode } = await guessAt(limited, 'nobody@example.org', `198.51.${at}.1`);
        statuses.push(statusCode);
      }
      expect(statuses.filter((status) => status === 401)).toHaveLength(30);
    });
  });

  it('is stopped per IPv6 /48 over all accounts', async () => {
    await withLimits('0.02', async (limited) => {
      const guess = (at: number, site: string) =>
        guessAt(limited, `victim${at}@example.org`, `2001:db8:${site}:${at.toString(16)}::1`);
      const statuses: number[] = [];
      for (let at = 0; at < 25; at += 1) statuses.push((await guess(at, '6')).statusCode);
      expect(statuses.filter((status) => status === 401)).toHaveLength(20);
      expect((await guess(30, '7')).statusCode).toBe(401);
    });
  });

  it('costs a learner who is logged in nothing: their own password is judged', async () => {
    await withLimits('1', async (limited) => {
      const learner = await limited.newLearner();
      for (let at = 0; at < 31; at += 1) await guessAt(limited, learner.email, `198.51.${at}.1`);
      const proof = (password: string) =>
        limited.inject({
          method: reauthenticate.method,
          url: reauthenticate.path,
          payload: { password },
          headers: learner.headers,
        });
      expect((await proof('Wrong-lamp-1')).statusCode).not.toBe(429);
      expect((await proof(PASSWORD)).statusCode).toBe(200);
    });
  });
});

describe('300 log-ins at once', () => {
  it('are answered or refused with 503 soon, and everything else is as fast as before', async () => {
    const { hash } = await vi.importActual<typeof import('@node-rs/argon2')>('@node-rs/argon2');
    const learner = await app.newLearner();
    const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
    const stored = await hash(PASSWORD, cost);
    await sql`update users set password_hash = ${stored} where id = ${learner.userId}`.execute(
      app.database,
    );
    // Tokens that are verified for the first time, which is work for the same threads.
    const fresh = await Promise.all(Array.from({ length: 100 }, () => app.renew(learner)));
    let areAnswered = false;
    const logIns = Array.from({ length: 300 }, (_, at) => {
      const email = at % 3 === 0 ? `nobody${at}@example.org` : learner.email;
      return logIn(email, PASSWORD, `198.18.${at % 200}.1`);
    });
    const answering = Promise.all(logIns).finally(() => {
      areAnswered = true;
    });
    // All have been read when the first is answered.
    await Promise.race(logIns);
    const othersMs: number[] = [];
    do {
      const { headers } = fresh[othersMs.length % fresh.length] as Learner;
      const askedAtMs = performance.now();
      expect((await app.inject({ url: getProfile.path, headers })).statusCode).toBe(200);
      othersMs.push(performance.now() - askedAtMs);
    } while (!areAnswered);
    const answers = await answering;
    const sorted = othersMs.toSorted((a, b) => a - b);
    expect(sorted[Math.floor(0.9 * sorted.length)]).toBeLessThan(1_000);
    const refused = answers.filter(({ statusCode }) => statusCode === 503);
    expect(answers.filter(({ statusCode }) => ![200, 401, 503].includes(statusCode))).toEqual([]);
    for (const answer of refused) {
      expect(answer.json()).toMatchObject({ error: 'unavailable' });
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
  });
});
