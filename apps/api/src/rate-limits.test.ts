import { randomUUID } from 'node:crypto';
import {
  enterRoom,
  errors,
  everythingRate,
  profilePictureRate,
  type RateLimit,
  type RouteDefinition,
} from '@mogakgong/contract';
import { describe, expect, it } from 'vitest';
import { type RouteName, routes } from '../test/contract-routes.ts';
import { injection } from '../test/injection.ts';
import { type Named, sampleRequest } from '../test/sample-requests.ts';
import { openTestSite } from '../test/test-site.ts';

const routeOf = (name: RouteName): RouteDefinition => routes[name];
const names = Object.keys(routes) as readonly RouteName[];

/** The routes of each limit that counts every call. */
const routesOfLimits = Object.entries(
  Object.groupBy(
    names.filter((name) => routeOf(name).limit && routeOf(name).limitCounts !== 'some'),
    (name) => routeOf(name).limit?.name ?? '',
  ),
) as [string, RouteName[]][];

const { app } = await openTestSite({ env: { RATE_LIMIT_SCALE: '1', TRUST_PROXY: 'true' } });

let lastAddress = 0;
/** An unused client address. */
function newAddress() {
  lastAddress += 1;
  return { 'x-forwarded-for': `198.51.100.${lastAddress}` };
}

/** A new learner with a seat, signed up from an address of their own. */
async function newCaller() {
  const headers = newAddress();
  const learner = await app.newLearner(headers);
  const named: Named = {
    userId: learner.userId,
    email: learner.email,
    // Of no log-in: one of the limited calls would end the caller's own.
    sessionId: randomUUID(),
    roomId: await app.seat(learner),
    groupId: await app.openGroup(learner, { isListed: false }),
    otherId: learner.userId,
    sanctionId: 1,
  };
  return { named, headers: { ...headers, ...learner.headers } };
}

describe('a limit of the contract', () => {
  it.each(routesOfLimits)('%s holds for %j together', async (limit, limited) => {
    const { named, headers } = await newCaller();
    // An admin may call every route.
    await app.grant(named, 'admin');
    const requestOf = async (name: RouteName) =>
      injection(name, await sampleRequest(name, named), headers);
    const [first] = limited as [RouteName];
    const repeated = await requestOf(first);
    const { max, windowMs } = routeOf(first).limit as RateLimit;
    // The sign-up of the caller counts as one, and so does their group.
    const used = limit === 'signup' || limit === 'openGroup' ? 1 : 0;
    for (let count = used; count < max; count += 1) {
      expect((await app.inject(repeated)).statusCode).not.toBe(429);
    }
    for (const name of limited) {
      const answer = await app.inject(await requestOf(name));
      expect([name, answer.json()]).toMatchObject([name, { message: errors.tooManyRequests.ko }]);
      expect(answer.statusCode).toBe(429);
      const waitSeconds = Number(answer.headers['retry-after']);
      expect(waitSeconds).toBeGreaterThan(0);
      expect(waitSeconds).toBeLessThanOrEqual(windowMs / 1_000);
    }
  });

  it('everything holds for all calls of an address, and for no other', async () => {
    const headers = newAddress();
    const call = (from: Record<string, string>) =>
      app.inject({ url: routes.getTitles.path, headers: from });
    for (let count = 0; count < everythingRate.max; count += 1) {
      expect((await call(headers)).statusCode).toBe(200);
    }
    const refused = await call(headers);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await call(newAddress())).statusCode).toBe(200);
  });

  it('everything holds for what no route of the contract serves, too', async () => {
    const headers = newAddress();
    const ask = async (url: string, from: Record<string, string>) =>
      (await app.inject({ url, headers: from })).statusCode;
    const { max } = everythingRate;
    for (let count = 0; count < max; count += 1) await ask('/api/nothing', headers);
    const urls = ['openapi.json', 'docs', 'docs/json', 'docs/yaml', 'docs/static/swagger-ui.css'];
    for (const url of ['/api/nothing', '/livekit/rtc/validate', ...urls.map((u) => `/api/${u}`)]) {
      expect([url, await ask(url, headers)]).toEqual([url, 429]);
      expect([url, await ask(url, newAddress())]).not.toEqual([url, 429]);
    }
  });

  it('profilePicture holds for all pictures that an address reads, and for no other', async () => {
    const headers = newAddress();
    const read = (name: string, from: Record<string, string>) =>
      app.inject({ url: `/files/images/${name}`, headers: from });
    for (let count = 0; count < profilePictureRate.max; count += 1) {
      expect((await read('none', headers)).statusCode).toBe(404);
    }
    const refused = await read(`${'a'.repeat(64)}.webp`, headers);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await read('none', newAddress())).statusCode).toBe(404);
    expect((await app.inject({ url: routes.getTitles.path, headers })).statusCode).toBe(200);
  });

  it('has a name of its own, and is counted by its routes or by a handler that a test covers', () => {
    const rates = new Set(names.flatMap((name) => routeOf(name).limit ?? []));
    const byHandlers = names.filter((name) => routeOf(name).limitCounts === 'some');
    expect(new Set([...rates].map(({ name }) => name)).size).toBe(rates.size);
    expect(byHandlers.map((name) => routeOf(name).limit)).toEqual([enterRoom.limit]);
  });
});
