import {
  commonErrors,
  type ErrorBody,
  type ErrorName,
  errors,
  type Role,
  type RouteDefinition,
} from '@mogakgong/contract';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type RouteName, routes } from '../test/contract-routes.ts';
import { everythingStored } from '../test/everything-stored.ts';
import { type AnyRequest, injection } from '../test/injection.ts';
import { newJpeg } from '../test/pictures.ts';
import { type Named, sampleRequest } from '../test/sample-requests.ts';
import type { Learner } from '../test/test-app.ts';
import { openTestSite } from '../test/test-site.ts';

const names = Object.keys(routes) as readonly RouteName[];
const routeOf = (name: RouteName): RouteDefinition => routes[name];
const jsonRoutes = names.filter((name) => routeOf(name).body && !routeOf(name).bodyType);
const queryRoutes = names.filter((name) => routeOf(name).query);
const pathRoutes = names.filter((name) => routeOf(name).params);

const { app } = await openTestSite();
let other: Learner;
beforeAll(async () => {
  other = await app.newLearner();
});

/** A role that may call a route. */
const roleFor = ({ access }: RouteDefinition): Role =>
  access === 'moderator' || access === 'admin' ? access : 'member';

/** A learner with a seat, and the things of theirs that requests name. */
async function newCaller(
  role: Role = 'member',
): Promise<{ headers: Record<string, string>; named: Named }> {
  const learner = await app.newLearner();
  await app.grant(learner, role);
  const named = {
    userId: learner.userId,
    email: learner.email,
    sessionId: String(decodeJwt(learner.token).sid),
    roomId: await app.seat(learner),
    groupId: await app.openGroup(learner, { isListed: false }),
    otherId: other.userId,
    sanctionId: 1,
  };
  return { headers: { ...learner.headers, cookie: learner.cookie }, named };
}

/** The errors that the contract declares for a route. */
const declaredErrors = (route: RouteDefinition): readonly ErrorName[] => [
  ...route.errors,
  ...commonErrors,
  ...(route.body ? (['unsupportedMediaType'] as const) : []),
];

/** The fault of a response; null for a declared reply or a declared row of the error table. */
function problemOf(name: RouteName, answer: LightMyRequestResponse): string | null {
  const route = routeOf(name);
  if (answer.headers['cache-control'] !== 'no-store') return 'an answer that may be kept';
  const text = `${answer.statusCode} ${answer.body.slice(0, 200)}`;
  if (answer.statusCode === 200) {
    const isText = String(answer.headers['content-type']).startsWith('text/');
    const reply = isText ? answer.body : answer.json<unknown>();
    return route.reply.safeParse(reply).success ? null : `a reply that was not declared: ${text}`;
  }
  const { error, ...rest } = answer.json<ErrorBody>();
  if (!declaredErrors(route).includes(error)) return `an error that was not declared: ${text}`;
  const { status, code, ko } = errors[error];
  const isRow =
    answer.statusCode === status && rest.errorCode === code && rest.message === ko && status < 500;
  return isRow ? null : `not a row of the table: ${text}`;
}

/** Sends requests to a route, one after the other; returns the faults of the responses. */
async function problemsOf(
  name: RouteName,
  requests: readonly InjectOptions[],
  isExpected: (answer: LightMyRequestResponse) => boolean = () => true,
): Promise<unknown[]> {
  const problems = [];
  for (const request of requests) {
    const answer = await app.inject(request);
    const problem =
      problemOf(name, answer) ??
      (isExpected(answer) ? null : `unexpected: ${answer.statusCode} ${answer.body.slice(0, 200)}`);
    if (problem) problems.push([request.url, String(request.payload).slice(0, 200), problem]);
  }
  return problems;
}

const is = (error: ErrorName) => (answer: LightMyRequestResponse) =>
  answer.statusCode === errors[error].status && answer.json<ErrorBody>().error === error;

const LONG = 'x'.repeat(12_000);
const DEEP = `${'['.repeat(6_000)}${']'.repeat(6_000)}`;

/** JSON values, as raw text, that a client may send for any field. */
const hostileJson: readonly string[] = [
  'null',
  'true',
  '0',
  '-1',
  '1.5',
  '1e309',
  '-1e309',
  '9007199254740993',
  '9'.repeat(400),
  '""',
  '" "',
  '"1"',
  '"NaN"',
  '[]',
  '["a","b"]',
  '[[[[1]]]]',
  '{}',
  '{"$ne":null}',
  '{"length":1,"toString":1,"valueOf":1}',
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\r\\nSet-Cookie: a=b"',
  '"\\u202e\\ufeff\\u0007"',
  '"../../../etc/passwd"',
  '"%2e%2e%2f"',
  '"\' or 1=1; --"',
  '"{{7*7}}<script>alert(1)</script>"',
  '"javascript:alert(1)"',
  JSON.stringify(LONG),
  DEEP,
];

/** A body with one field replaced by JSON that cannot be made from a value. */
const withJson = (body: AnyRequest['body'], field: string, json: string) =>
  `{${[
    ...Object.entries(body ?? {})
      .filter(([name]) => name !== field)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`),
    `${JSON.stringify(field)}:${json}`,
  ].join(',')}}`;

const jsonHeaders = (headers: Record<string, string>, type = 'application/json') => ({
  ...headers,
  'content-type': type,
});

/** The sample of a route, with functions that replace its body or query. */
async function sampleOf(name: RouteName) {
  const { headers, named } = await newCaller(roleFor(routeOf(name)));
  const sample = await sampleRequest(name, named);
  const { payload: _sent, ...request } = await injection(name, sample, headers);
  return {
    named,
    sample,
    withBody: (payload: string | Buffer, type?: string): InjectOptions => ({
      ...request,
      headers: jsonHeaders(headers, type),
      payload,
    }),
    request: (change: AnyRequest) => injection(name, { ...sample, ...change }, headers),
    /** The sample with a raw query. */
    withQuery: async (query: string): Promise<InjectOptions> => {
      const injected = await injection(name, sample, headers);
      return { ...injected, url: `${String(injected.url).split('?')[0]}?${query}` };
    },
  };
}

describe('a field of a body', () => {
  it.each(jsonRoutes)('%s takes no value of another type, and stores nothing', async (name) => {
    const { body: schema } = routeOf(name);
    const { sample, withBody } = await sampleOf(name);
    const bodies = Object.keys(schema?.shape ?? {}).flatMap((field) =>
      hostileJson.map((json) => withJson(sample.body, field, json)),
    );
    const fits = (body: string) => schema?.safeParse(JSON.parse(body)).success;
    const misfits = bodies.filter((body) => !fits(body)).map((body) => withBody(body));
    const before = await everythingStored(app.database);
    expect(await problemsOf(name, misfits, is('invalidRequest'))).toEqual([]);
    expect(await everythingStored(app.database)).toEqual(before);
    const rest = bodies.filter((body) => fits(body)).map((body) => withBody(body));
    expect(await problemsOf(name, rest)).toEqual([]);
    expect(misfits.length + rest.length).toBeGreaterThan(hostileJson.length - 1);
  });

  it.each(jsonRoutes)('%s is not set by a field that is not declared', async (name) => {
    const { sample, withBody, named } = await sampleOf(name);
    const marker = `marker-${named.sessionId}`;
    const declared = Object.keys(routeOf(name).body?.shape ?? {});
    const extras = Object.entries({
      id: 987_654_321,
      userId: other.userId,
      user_id: other.userId,
      isAdmin: true,
      role: marker,
      email: `${marker}@example.org`,
      emailVerified: true,
      password: marker,
      passwordHash: marker,
      password_hash: marker,
      nickname: marker,
      sessionId: marker,
      createdAt: marker,
      deletedAt: marker,
      __v: marker,
    }).filter(([field]) => !declared.includes(field));
    const body = { ...sample.body, ...Object.fromEntries(extras) };
    const plain = await app.inject(withBody(JSON.stringify(sample.body)));
    const victim = await storedOf(other);
    const answer = await app.inject(withBody(JSON.stringify(body)));
    expect(problemOf(name, answer)).toBeNull();
    // A second sign-up with the same address, a second room and a second subject of a name are refused as
    // such; all others can be repeated.
    if (plain.statusCode === 200 && !['signup', 'openHostedRoom', 'addSubject'].includes(name))
      expect([200, 401, 403]).toContain(answer.statusCode);
    const stored = JSON.stringify(await everythingStored(app.database));
    expect(stored).not.toContain(marker);
    expect(stored).not.toContain('987654321');
    expect(await storedOf(other)).toEqual(victim);
  });
});

/** The rows of a learner in `users`. */
async function storedOf({ userId }: Learner) {
  const { rows } = await sql`select * from users where id = ${userId}`.execute(app.database);
  return rows;
}

describe('a body', () => {
  const broken: readonly (readonly [string, string | Buffer, string])[] = [
    ['nothing', '', 'application/json'],
    ['null', 'null', 'application/json'],
    ['a list', '[]', 'application/json'],
    ['a text', '"text"', 'application/json'],
    ['a number', '1', 'application/json'],
    ['half a document', '{"a":', 'application/json'],
    ['two documents', '{}{}', 'application/json'],
    ['a comment', '{/* */}', 'application/json'],
    ['NaN', '{"a":NaN}', 'application/json'],
    ['a prototype', '{"__proto__":{"polluted":true}}', 'application/json'],
    ['a hidden prototype', '{"\\u005f_proto__":{"polluted":true}}', 'application/json'],
    ['a constructor', '{"constructor":{"prototype":{"polluted":true}}}', 'application/json'],
    ['lists in lists', DEEP, 'application/json'],
    ['objects in objects', `${'{"a":'.repeat(2_500)}1${'}'.repeat(2_500)}`, 'application/json'],
    [
      'bytes that are no UTF-8',
      Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
      'application/json',
    ],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le'), 'application/json; charset=utf-16'],
    [
      '1,300 fields',
      `{${Array.from({ length: 1_300 }, (_, at) => `"f${at}":1`).join(',')}}`,
      'application/json',
    ],
  ];

  it.each(jsonRoutes)('%s is refused when it is broken', async (name) => {
    const { sample, withBody } = await sampleOf(name);
    const before = await everythingStored(app.database);
    const poisoned = [
      withJson(sample.body, '__proto__', '{"polluted":true}'),
      withJson(sample.body, 'constructor', '{"prototype":{"polluted":true}}'),
    ].map((body) => withBody(body));
    expect(await problemsOf(name, poisoned, is('invalidRequest'))).toEqual([]);
    const requests = broken.map(([, payload, type]) => withBody(payload, type));
    // Every field of these routes has a default: an object without them is what they take.
    const isWhole = routeOf(name).body?.safeParse({}).success;
    const isRefused = isWhole ? () => true : is('invalidRequest');
    expect(await problemsOf(name, requests, isRefused)).toEqual([]);
    expect(await everythingStored(app.database)).toEqual(before);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each(names.filter((name) => routeOf(name).body))(
    '%s is refused as another type',
    async (name) => {
      const { withBody, sample } = await sampleOf(name);
      const text = JSON.stringify(sample.body);
      const before = await everythingStored(app.database);
      const types = [
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'application/json-patch+json',
        'application/octet-stream',
        'text/html; charset=utf-8',
        ...(routeOf(name).bodyType ? ['application/json'] : ['multipart/form-data; boundary=x']),
      ];
      const requests = types.map((type) => withBody(text, type));
      expect(await problemsOf(name, requests, is('unsupportedMediaType'))).toEqual([]);
      const odd = ['', ';', 'application', 'a'.repeat(5_000)].map((type) => withBody(text, type));
      const isRefused = (answer: LightMyRequestResponse) =>
        is('unsupportedMediaType')(answer) || is('invalidRequest')(answer);
      expect(await problemsOf(name, odd, isRefused)).toEqual([]);
      expect(await everythingStored(app.database)).toEqual(before);
    },
  );

  it('that names a field twice counts by its last, which is the one that is checked', async () => {
    const { withBody, named } = await sampleOf('startTimer');
    const twice = `{"userId":${named.userId},"roomId":${named.roomId},"userId":${other.userId}}`;
    expect((await app.inject(withBody(twice))).json()).toMatchObject({ error: 'notYourself' });
  });
});

/** Values of a query, as they are written in an address. */
const hostileText: readonly string[] = [
  '',
  '%20',
  '-1',
  '0',
  '1.5',
  '1e400',
  'NaN',
  'Infinity',
  '0x10',
  'true',
  'null',
  '[]',
  '%7B%22%24ne%22%3Anull%7D',
  '9'.repeat(400),
  '9007199254740993',
  '%00',
  'a%00b',
  '%ff%fe',
  '%ED%A0%80',
  '%',
  '%zz',
  '%0d%0aSet-Cookie:%20a=b',
  '..%2f..%2fetc%2fpasswd',
  '%252e%252e%252f',
  '%27%20or%201=1--',
  '2026-02-31',
  '9999-99-99',
  '0000-00-00',
  '%F0%9F%98%80',
  'x'.repeat(8_000),
];

describe('a query', () => {
  it.each(queryRoutes)('%s answers hostile values by the table', async (name) => {
    const { sample, withQuery } = await sampleOf(name);
    const fields = Object.keys(routeOf(name).query?.shape ?? {});
    const requests = await Promise.all(
      fields.flatMap((field) => {
        const rest = Object.entries(sample.query ?? {})
          .filter(([known]) => known !== field)
          .map(([known, value]) => `${known}=${encodeURIComponent(String(value))}&`);
        return hostileText.map((text) => withQuery(`${rest.join('')}${field}=${text}`));
      }),
    );
    expect(await problemsOf(name, requests)).toEqual([]);
  });

  it.each(queryRoutes)('%s refuses a parameter that is repeated or nested', async (name) => {
    const { sample, withQuery } = await sampleOf(name);
    const own = Object.entries(sample.query ?? {}).map(([field, value]) => `${field}=${value}`);
    const [first] = own;
    const requests = await Promise.all(
      own.flatMap((pair) => [
        withQuery([...own, pair].join('&')),
        withQuery([pair, ...own].join('&')),
      ]),
    );
    expect(await problemsOf(name, requests, is('invalidRequest'))).toEqual([]);
    // An undeclared parameter is ignored, even if it looks like a list or an object.
    const strange = await withQuery(
      `${own.join('&')}&${first}`.replace(
        /&([^&=]+)=([^&]*)$/u,
        '&$1[]=$2&$1[a]=1&__proto__[polluted]=1&constructor.prototype.polluted=1',
      ),
    );
    expect(await problemsOf(name, [strange])).toEqual([]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('a path', () => {
  it.each(pathRoutes)('%s answers hostile parameters by the table', async (name) => {
    const { sample, request } = await sampleOf(name);
    const { url, ...rest } = await request({});
    const fields = Object.keys(routeOf(name).params ?? {});
    expect(fields).not.toEqual([]);
    const own = encodeURIComponent(String(Object.values(sample.params ?? {})[0]));
    const problems = [];
    for (const text of hostileText) {
      const answer = await app.inject({ ...rest, url: String(url).replace(own, text) });
      // A path that no longer matches the route is 404.
      const isNone = answer.statusCode === 404 && answer.json<ErrorBody>().error === 'notFound';
      const problem = isNone ? null : problemOf(name, answer);
      if (problem) problems.push([text, problem]);
    }
    expect(problems).toEqual([]);
  });

  it.each([
    '/api/user%2fprofile',
    '/api/user/profile/',
    '/api/user/profile%00',
    '/api/user/profile;a=b',
    '/api//user/profile',
    '/API/user/profile',
    '/api/user/profile/..%2f..%2f..%2fetc%2fpasswd',
    '/files/images/..%2f..%2fauth-secret',
    '/files/images/%2e%2e/%2e%2e/auth-secret',
    '/assets/..%2f..%2fpackage.json',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%5c..%5cetc%5cpasswd',
  ])('%s is nothing of ours', async (url) => {
    const { headers } = await newCaller();
    const answer = await app.inject({ url, headers });
    expect([answer.statusCode, answer.body.includes('email')]).toEqual([404, false]);
  });
});

describe('a method', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

  const patternOf = ({ path }: RouteDefinition) =>
    new RegExp(`^${path.replaceAll(/:\w+/gu, '[^/]+')}$`, 'u');

  it('that a path does not have is 404 by the table, with no header of another origin', async () => {
    const { headers, named } = await newCaller();
    const hasRoute = (method: string, url: string) =>
      names.some(
        (name) =>
          routeOf(name).method === (method === 'HEAD' ? 'GET' : method) &&
          patternOf(routeOf(name)).test(url.split('?')[0] ?? ''),
      );
    const foreign = { ...headers, origin: 'https://evil.example' };
    for (const name of names) {
      const { url } = await injection(name, await sampleRequest(name, named));
      for (const method of methods.filter((method) => !hasRoute(method, String(url)))) {
        const answer = await app.inject({ method, url: String(url), headers: foreign });
        expect([method, url, answer.statusCode]).toEqual([method, url, 404]);
        if (method !== 'HEAD') expect(answer.json()).toMatchObject({ errorCode: 'C404' });
        const allowing = Object.keys(answer.headers).filter((header) => /^access-/u.test(header));
        expect(allowing).toEqual([]);
      }
    }
  });
});

/** A form as raw text: each part's header lines and content. */
const writtenForm = (parts: readonly (readonly [string, string | Buffer])[], end = '--x--\r\n') =>
  Buffer.concat([
    ...parts.flatMap(([head, content]) => [
      Buffer.from(`--x\r\n${head}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(end),
  ]);
const disposition = (name: string, rest = '; filename="a.jpg"') =>
  `Content-Disposition: form-data; name="${name}"${rest}\r\nContent-Type: image/jpeg`;

describe('a form', () => {
  const FORM = 'multipart/form-data; boundary=x';

  it('that is not the declared one is refused, and nothing is stored', async () => {
    const { withBody } = await sampleOf('uploadImage');
    const picture = await newJpeg();
    const named = (name: string) => writtenForm([[disposition(name), picture]]);
    const before = await everythingStored(app.database);
    const forms: readonly (readonly [Buffer, string?])[] = [
      [named('__proto__')],
      [named('constructor')],
      [named('constructor.prototype')],
      [named('imageFile[0]')],
      [named('imageFile.a')],
      [named('')],
      [writtenForm([['Content-Type: image/jpeg', picture]])],
      [writtenForm([[disposition('imageFile', ''), 'text']])],
      [writtenForm([[disposition('imageFile'), picture]], '')],
      [
        writtenForm(
          Array.from({ length: 50 }, (_, at) => [disposition(`f${at}`, ''), 'x'] as const),
        ),
      ],
      [writtenForm([[`X: ${'y'.repeat(90_000)}\r\n${disposition('imageFile')}`, picture]])],
      [Buffer.from('no form at all')],
      [named('imageFile'), 'multipart/form-data'],
      [named('imageFile'), 'multipart/form-data; boundary='],
      [named('imageFile'), `multipart/form-data; boundary=${'x'.repeat(5_000)}`],
    ];
    const requests = forms.map(([payload, type = FORM]) => withBody(payload, type));
    const isRefused = (answer: LightMyRequestResponse) => answer.statusCode !== 200;
    expect(await problemsOf('uploadImage', requests, isRefused)).toEqual([]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(await everythingStored(app.database)).toEqual(before);
  });

  it('is taken whatever its file is called, for the name is not used', async () => {
    const { withBody } = await sampleOf('uploadImage');
    for (const filename of ['../../../etc/passwd', 'a.jpg.php', '%00.jpg', 'a\\b:c', '사진.jpg']) {
      const head = disposition('imageFile', `; filename="${filename}"`);
      const answer = await app.inject(withBody(writtenForm([[head, await newJpeg()]]), FORM));
      expect(answer.json()).toEqual({
        imageUrl: expect.stringMatching(/^\/files\/images\/[0-9a-f]{64}\.webp$/u),
      });
    }
  });
});
