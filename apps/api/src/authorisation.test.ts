import { generateKeyPairSync } from 'node:crypto';
import {
  type ErrorName,
  errors,
  type GrantedRole,
  logout,
  RECENT_LOGIN_SECONDS,
  type RouteDefinition,
} from '@mogakgong/contract';
import { decodeJwt, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { appCode } from '../test/authenticator-app.ts';
import { type RouteName, routes } from '../test/contract-routes.ts';
import { everythingStored } from '../test/everything-stored.ts';
import { type AnyRequest, injection } from '../test/injection.ts';
import { readMails } from '../test/outbox.ts';
import { type Named, rowOf, sampleRequest } from '../test/sample-requests.ts';
import { AUTH_SECRET, cookieOf, type Learner, MEDIA_SECRET, PASSWORD } from '../test/test-app.ts';
import { openTestSite } from '../test/test-site.ts';

const names = Object.keys(routes) as readonly RouteName[];
const routeOf = (name: RouteName): RouteDefinition => routes[name];
const loginRoutes = names.filter((name) => routeOf(name).access !== 'open');

const { app } = await openTestSite({
  env: {
    NAVER_CLIENT_ID: 'us',
    NAVER_CLIENT_SECRET: 'x',
    NAVER_URL: 'http://127.0.0.1:9',
  },
});
/** The owner of the token, log-in, seat and room that the requests name. */
let learner: Learner;
let stranger: Learner;
let named: Named;
beforeAll(async () => {
  learner = await app.newLearner();
  stranger = await app.newLearner();
  named = await everythingOf(learner);
});

async function everythingOf(owner: Learner): Promise<Named> {
  return {
    userId: owner.userId,
    email: owner.email,
    sessionId: String(decodeJwt(owner.token).sid),
    roomId: await app.seat(owner),
    groupId: await app.openGroup(owner, { isListed: false }),
    otherId: stranger.userId,
    sanctionId: await warn(owner),
  };
}

/** Gives a learner a warning; returns its id. */
async function warn({ userId }: Learner): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into sanction (user_id, kind, reason, imposed_at, ends_at, changed_at)
    values (${userId}, 'warn', 'rudeness', now(), now(), now()) returning id`.execute(app.database);
  return rows[0]?.id ?? 0;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Sends the sample of a route, with parts replaced by `change`. */
async function call(name: RouteName, headers: Record<string, string>, change: AnyRequest = {}) {
  const sample = await sampleRequest(name, named);
  const request = Object.fromEntries(
    (['params', 'query', 'body'] as const)
      .filter((part) => sample[part] ?? change[part])
      .map((part) => [part, { ...sample[part], ...change[part] }]),
  );
  return app.inject(await injection(name, request, headers));
}

const key = new TextEncoder().encode(AUTH_SECRET);

/** A signed token with changed claims or header. */
function sign(
  claims: JWTPayload,
  { header = {}, by = key }: { header?: object; by?: Parameters<SignJWT['sign']>[0] } = {},
): Promise<string> {
  const valid = decodeJwt(learner.token);
  const payload = Object.fromEntries(
    Object.entries({ ...valid, ...claims }).filter(([, value]) => value !== undefined),
  );
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', ...header })
    .sign(by);
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const nowSeconds = () => Math.floor(app.clock.now().getTime() / 1_000);
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The valid token with one of its three parts replaced. */
function withPart(index: 0 | 1 | 2, part: string): string {
  return learner.token.split('.').toSpliced(index, 1, part).join('.');
}

/** Invalid access tokens, by their fault. */
const forgedTokens: Readonly<Record<string, () => string | Promise<string>>> = {
  'an expired token': () => sign({ exp: nowSeconds() - 1 }),
  'a token that never expires': () => sign({ exp: undefined }),
  'a token that is not valid yet': () => sign({ nbf: nowSeconds() + 60 }),
  'a token for another audience': () => sign({ aud: 'another-api' }),
  'a token for no audience': () => sign({ aud: undefined }),
  'a token of another issuer': () => sign({ iss: 'https://evil.example' }),
  'a token of no issuer': () => sign({ iss: undefined }),
  'a token of another type': () => sign({}, { header: { typ: 'JWT' } }),
  'a token without a log-in': () => sign({ sid: undefined }),
  'a token without a learner': () => sign({ userId: undefined }),
  'a token of a learner who is no number': () => sign({ userId: '1 or 1=1' }),
  'a payload that was changed': () =>
    withPart(1, encoded({ ...decodeJwt(learner.token), userId: stranger.userId })),
  'a signature that was changed': () => withPart(2, encoded({ no: 'signature' })),
  'no signature': () => withPart(2, ''),
  'the algorithm none': () => new UnsecuredJWT(decodeJwt(learner.token)).encode(),
  'the algorithm none under a signature': () =>
    withPart(0, encoded({ alg: 'none', typ: 'at+jwt' })),
  'the algorithm None': () => withPart(0, encoded({ alg: 'None', typ: 'at+jwt' })),
  'the key of media tokens': () => sign({}, { by: new TextEncoder().encode(MEDIA_SECRET) }),
  'a key of the caller’s own': () =>
    sign({}, { by: key.toReversed(), header: { jwk: { kty: 'oct', k: 'AAAA' } } }),
  'an empty key': () => sign({}, { by: new Uint8Array(32) }),
  'another algorithm with the right key': () => sign({}, { header: { alg: 'HS512' } }),
  'an asymmetric key': () => sign({}, { by: rsa.privateKey, header: { alg: 'RS256' } }),
  'a public key as a secret': () =>
    sign({}, { by: Buffer.from(rsa.publicKey.export({ type: 'spki', format: 'pem' })) }),
  'a file as the key': () => sign({}, { by: Buffer.alloc(0x20), header: { kid: '/dev/null' } }),
};

/** Tokens that were valid, or have another purpose. */
const otherTokens: Readonly<Record<string, () => string | Promise<string>>> = {
  'a token of an ended log-in': async () => {
    const { token, headers } = await app.newLearner();
    await app.inject({ method: logout.method, url: logout.path, headers });
    return token;
  },
  'a token that was accepted and has expired since': async () => {
    const token = await sign({ exp: nowSeconds() + 1 });
    expect((await call('getProfile', bearer(token))).statusCode).toBe(200);
    app.clock.advance(1_000);
    return token;
  },
  'the cookie of a log-in that waits for its code': async () => {
    const { email, headers } = await app.newLearner();
    const ask = (route: RouteDefinition, payload = {}, from = {}) =>
      app.inject({ method: route.method, url: route.path, headers: from, payload });
    const begun = await ask(routes.beginSecondFactor, {}, headers);
    const code = appCode(begun.json<{ secret: string }>().secret, app.clock.now());
    await ask(routes.confirmSecondFactor, { code }, headers);
    const waiting = await ask(routes.login, { email, password: PASSWORD });
    expect(waiting.json()).not.toHaveProperty('token');
    return cookieOf(waiting.headers['set-cookie']).split('=')[1] ?? '';
  },
  'a media token': async () =>
    (await call('createMediaToken', learner.headers)).json<{ token: string }>().token,
  'a refresh token': () => learner.cookie.split('=')[1] ?? '',
  'the token of a mailed link': async () => {
    await call('requestPasswordReset', {});
    return vi.waitFor(async () => {
      const text = (await readMails(app)).find((mail) => mail.includes('token=')) ?? '';
      const token = /token=([\w-]+)/u.exec(
        text.replaceAll('=\r\n', '').replaceAll('=3D', '='),
      )?.[1];
      return token ?? Promise.reject(new Error(text));
    });
  },
  'the cookie of a social log-in': async () => {
    const answer = await app.inject('/oauth2/authorization/naver');
    return cookieOf(answer.headers['set-cookie']).split('=')[1] ?? '';
  },
};

const refusal = (name: ErrorName) => ({
  message: errors[name].ko,
  error: name,
  errorCode: errors[name].code,
});

/** The routes with another response than 401 to a request with these headers. */
async function notRefused(headers: Record<string, string>): Promise<unknown[]> {
  const answers = await Promise.all(
    loginRoutes.map(async (name) => ({ name, answer: await call(name, headers) })),
  );
  return answers
    .filter(({ answer }) => !isRefusal(answer.statusCode, answer.body, 'unauthorized'))
    .map(({ name, answer }) => [name, answer.statusCode, answer.body]);
}

function isRefusal(status: number, body: string, name: ErrorName): boolean {
  return status === errors[name].status && body === JSON.stringify(refusal(name));
}

describe('a route that needs a log-in', () => {
  it('is every route but these', () => {
    expect(names.filter((name) => routeOf(name).access === 'open').toSorted()).toEqual([
      'askSupport',
      'beginPasskeyLogin',
      'checkEmail',
      'finishLogin',
      'finishPasswordReset',
      'finishSocialLogin',
      'finishSocialSignup',
      'getLiveliness',
      'getSocialProviders',
      'getSocialSignup',
      'getTitles',
      'logInByPasskey',
      'login',
      'logout',
      'previewInvitation',
      // By the secret in its address: calendar applications cannot log in.
      'readGroupCalendar',
      'refresh',
      'reportClientError',
      'requestPasswordReset',
      'signup',
    ]);
  });

  it('declares that it can answer 401', () => {
    const silent = loginRoutes.filter((name) => !routeOf(name).errors.includes('unauthorized'));
    expect(silent).toEqual([]);
  });

  it.each([
    ['no header', {}],
    ['an empty header', { authorization: '' }],
    ['no token', { authorization: 'Bearer' }],
    ['words', bearer('let me in')],
    ['a token that is none', bearer('a.b.c')],
    ['a password', { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` }],
  ])('refuses %s', async (_what, headers: Record<string, string>) => {
    expect(await notRefused(headers)).toEqual([]);
  });

  it.each(Object.entries({ ...forgedTokens, ...otherTokens }))(
    'refuses %s',
    async (_what, make) => {
      expect(await notRefused(bearer(await make()))).toEqual([]);
    },
  );

  it.each(loginRoutes.filter((name) => routeOf(name).recentLogIn))(
    '%s refuses a log-in of long ago, which other routes accept',
    async (name) => {
      const { userId, headers } = await app.newLearner();
      await sql`update login_session set authenticated_at = authenticated_at
        - ${RECENT_LOGIN_SECONDS + 1} * interval '1 second' where user_id = ${userId}`.execute(
        app.database,
      );
      const answer = await call(name, headers);
      expect([answer.statusCode, answer.json()]).toEqual([403, refusal('loginNotRecent')]);
      expect((await call('getProfile', headers)).statusCode).toBe(200);
    },
  );

  it('takes the token only from the header', async () => {
    const { token } = learner;
    const query = { access_token: token, token };
    const cookie = `token=${token}; access_token=${token}; mogakgong.token=${token}`;
    for (const name of loginRoutes) {
      const answer = await call(name, { cookie, 'x-access-token': token }, { query });
      expect([name, answer.statusCode]).toEqual([name, 401]);
    }
  });

  it('accepts a valid token: the refusals above are due to what was wrong', async () => {
    expect((await call('getProfile', bearer(await sign({})))).statusCode).toBe(200);
  });
});

/** Every route that needs a role, by the lowest role that may call it. */
const routesOfRoles: Readonly<Record<GrantedRole, readonly RouteName[]>> = {
  moderator: [
    'getCases',
    'getCase',
    'getReportStill',
    'getReportBoard',
    'getReportBoardImage',
    'getReportEvidence',
    'claimCase',
    'releaseCase',
    'decideCase',
    'getAppeals',
    'answerAppeal',
    'liftSanction',
  ],
  admin: ['getAuditEvents'],
};
const refusalOf = { moderator: 'moderatorsOnly', admin: 'adminsOnly' } as const;

describe('a route that needs a role', () => {
  const cases = Object.entries(routesOfRoles).flatMap(([access, list]) =>
    list.map((name) => [name, access as GrantedRole] as const),
  );

  it('has a row above', () => {
    const declared = loginRoutes
      .filter((name) => routeOf(name).access !== 'login')
      .map((name) => [name, routeOf(name).access]);
    expect(declared.toSorted()).toEqual(cases.toSorted());
  });

  it.each(cases)('%s declares that it refuses others than a %s', (name, access) => {
    expect(routeOf(name).errors).toContain(refusalOf[access]);
  });

  it.each(cases)('%s refuses lower roles than %s, and changes nothing', async (name, access) => {
    const caller = await app.newLearner();
    const before = await everythingStored(app.database);
    const refused = async () => {
      const answer = await call(name, caller.headers);
      expect([answer.statusCode, answer.json()]).toEqual([403, refusal(refusalOf[access])]);
    };
    await refused();
    expect(await everythingStored(app.database)).toEqual(before);
    if (access === 'moderator') return;
    await app.grant(caller, 'moderator');
    await refused();
  });

  it.each(cases)(
    '%s answers a %s and an admin until the role is taken away',
    async (name, access) => {
      const caller = await app.newLearner();
      for (const role of [access, 'admin'] as const) {
        await app.grant(caller, role);
        const answer = await call(name, caller.headers);
        expect([refusalOf[access], 'unauthorized']).not.toContain(answer.json().error);
      }
      await app.grant(caller, 'member');
      const answer = await call(name, caller.headers);
      expect([answer.statusCode, answer.json()]).toEqual([403, refusal(refusalOf[access])]);
    },
  );

  it('is closed to a moderator whose account is going to be deleted, also with an older token', async () => {
    const caller = await app.newLearner();
    await app.grant(caller, 'admin');
    await sql`update users set deletes_at = now() + interval '7 days'
              where id = ${caller.userId}`.execute(app.database);
    const answer = await call('getAuditEvents', caller.headers);
    expect([answer.statusCode, answer.json()]).toEqual([403, refusal('adminsOnly')]);
  });
});

/** Fields that name a learner wherever they stand in a request. */
const LEARNER_FIELDS = ['userId', 'identity', 'senderId'];
/** Fields that name a thing, possibly of another learner. */
const THING_FIELD = /Id$|Name$|^before$|^newProfileImage$/u;

const fieldsOf = (name: RouteName) =>
  (['params', 'query', 'body'] as const).flatMap((part) =>
    Object.keys(routeOf(name)[part]?.shape ?? {}).map((field) => `${part}.${field}`),
  );
const withoutPart = (field: string) => field.slice(field.indexOf('.') + 1);

const learnerFieldsOf = (name: RouteName) =>
  fieldsOf(name).filter((field) => LEARNER_FIELDS.includes(withoutPart(field)));
const thingFieldsOf = (name: RouteName) =>
  fieldsOf(name).filter(
    (field) => THING_FIELD.test(withoutPart(field)) && !learnerFieldsOf(name).includes(field),
  );

describe('a route that names a learner', () => {
  it('declares every such field as one that must be the caller’s', () => {
    for (const name of names) {
      expect([name, learnerFieldsOf(name)]).toEqual([name, routeOf(name).callerFields ?? []]);
    }
  });

  it.each(
    names.flatMap((name) =>
      (routeOf(name).callerFields ?? []).map((field) => [name, field] as const),
    ),
  )('%s refuses another learner in %s', async (name, field) => {
    // All other fields are the caller's own: only this field can be the reason.
    const [part, fieldName] = field.split('.') as ['params' | 'query' | 'body', string];
    const own = (await sampleRequest(name, named))[part]?.[fieldName];
    const others = typeof own === 'string' ? String(stranger.userId) : stranger.userId;
    const answer = await call(name, learner.headers, { [part]: { [fieldName]: others } });
    expect([answer.statusCode, answer.json()]).toEqual([403, refusal('notYourself')]);
  });
});

const ownId = (field: string) =>
  field.endsWith('identity') ? String(stranger.userId) : stranger.userId;

/** Replaces the learner of a route's sample by the stranger. */
const asStranger = (name: RouteName): AnyRequest =>
  Object.fromEntries(
    learnerFieldsOf(name).map((field) => {
      const [part, fieldName] = field.split('.') as [string, string];
      return [part, { [fieldName]: ownId(field) }];
    }),
  );

describe('a route that names a thing', () => {
  const answers = names.map((name) => [name, rowOf(name).stranger] as const);

  it('has an answer to strangers in sample-requests.ts', () => {
    const things = names.filter(
      (name) => routeOf(name).access === 'login' && thingFieldsOf(name).length > 0,
    );
    const answered = answers.filter(([, row]) => row !== undefined).map(([name]) => name);
    expect(answered.toSorted()).toEqual(things.toSorted());
  });

  it.each(answers.filter(([, row]) => row !== undefined && row !== 'everybodys'))(
    '%s answers a stranger %j, and changes nothing',
    async (name, row) => {
      const before = await everythingStored(app.database);
      const answer = await call(name, stranger.headers, asStranger(name));
      if (typeof row === 'string') {
        const error = row as ErrorName;
        expect([answer.statusCode, answer.json()]).toEqual([errors[error].status, refusal(error)]);
      } else expect(answer.json()).toMatchObject(row as object);
      expect(await everythingStored(app.database)).toEqual(before);
      expect((await call('getProfile', learner.headers)).statusCode).toBe(200);
    },
  );
});
