import {
  consentNames,
  consentVersions,
  DAY_MS,
  type GroupId,
  getPrivacyState,
  giveConsents,
  login,
  type PrivacyState,
  type RouteDefinition,
  refresh,
  type UserId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type RouteName, routes } from '../../../test/contract-routes.ts';
import { injection } from '../../../test/injection.ts';
import { sampleRequest } from '../../../test/sample-requests.ts';
import { cookieOf, type Learner, PASSWORD } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app, clients } = await openTestSite();

const send = app.ask;

/** The learner with the next token of their log-in. */
async function renew(learner: Learner): Promise<Learner> {
  const { method, path: url } = refresh;
  const answer = await app.inject({ method, url, headers: { cookie: learner.cookie } });
  const { token } = answer.json<{ token: string }>();
  const cookie = cookieOf(answer.headers['set-cookie']);
  return { ...learner, token, cookie, headers: { authorization: `Bearer ${token}` } };
}

/** A learner with consent to a policy that is no longer valid. */
async function withOldConsent(): Promise<Learner> {
  const learner = await app.newLearner();
  await sql`update consent set version = '2020-01-01' where user_id = ${learner.userId} and name = 'privacy'`.execute(
    app.database,
  );
  return learner;
}

const everything = { age: true, terms: true, privacy: true };
const consentsOf = async (learner: Learner) =>
  (await send(getPrivacyState, learner)).json<PrivacyState>().consents;

describe('consents', () => {
  it('are shown with version and time', async () => {
    const learner = await app.newLearner();
    const acceptedAtMs = app.clock.now().getTime();
    expect((await consentsOf(learner)).toSorted((a, b) => a.name.localeCompare(b.name))).toEqual(
      consentNames
        .map((name) => ({ name, version: consentVersions[name], acceptedAtMs }))
        .toSorted((a, b) => a.name.localeCompare(b.name)),
    );
  });

  it('are asked for again when a text has changed: until then little can be done', async () => {
    const learner = await renew(await withOldConsent());
    const named = {
      ...learner,
      sessionId: '11111111-1111-4111-8111-111111111111',
      otherId: 1 as UserId,
      sanctionId: 1,
      roomId: await app.openRoom(),
      groupId: 1 as GroupId,
    };
    for (const [name, route] of Object.entries(routes) as [RouteName, RouteDefinition][]) {
      if (route.access === 'open' || route.openTo?.includes('consents')) continue;
      const request = await injection(name, await sampleRequest(name, named), learner.headers);
      const refused = await app.inject(request);
      expect([name, refused.json()]).toMatchObject([name, { error: 'consentsOutdated' }]);
    }
    expect((await clients.connectAs(app, learner)).lastError).toBe('consentsOutdated');
    const open = Object.values(routes).filter((route: RouteDefinition) =>
      route.openTo?.includes('consents'),
    );
    expect(open.map(({ path }) => path).toSorted()).toEqual([
      '/api/auth/reauthenticate',
      '/api/user/consents',
      '/api/user/deletion',
      '/api/user/export',
      '/api/user/passkeys',
      '/api/user/privacy',
      '/api/user/profile',
      '/api/user/second-factor',
      '/api/user/social-logins',
    ]);
  });

  it('open the account again once they are given, each stored with its time', async () => {
    const old = await withOldConsent();
    app.clock.advance(DAY_MS);
    const learner = await renew(old);
    for (const missing of consentNames) {
      const refused = await send(giveConsents, learner, {
        consents: { ...everything, [missing]: false },
      });
      expect(refused.json()).toMatchObject({ error: 'consentsMissing' });
    }
    const [one, two] = await Promise.all([
      send(giveConsents, learner, { consents: everything }),
      send(giveConsents, learner, { consents: everything }),
    ]);
    expect([one.statusCode, two.statusCode]).toEqual([200, 200]);
    expect(await consentsOf(learner)).toContainEqual({
      name: 'privacy',
      version: consentVersions.privacy,
      acceptedAtMs: app.clock.now().getTime(),
    });
    expect(await app.seat(await renew(learner))).toBeTruthy();
  });

  it('are asked for at a log-in, too', async () => {
    const { email } = await withOldConsent();
    const { method, path: url } = login;
    const answer = await app.inject({ method, url, payload: { email, password: PASSWORD } });
    const headers = { authorization: `Bearer ${answer.json<{ token: string }>().token}` };
    const refused = await app.inject({ url: '/api/blocks', headers });
    expect(refused.json()).toMatchObject({ error: 'consentsOutdated', errorCode: 'P002' });
  });
});
