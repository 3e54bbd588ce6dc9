import {
  ACCESS_TOKEN_SECONDS,
  beginSecondFactor,
  confirmSecondFactor,
  finishLogin,
  finishPasswordReset,
  finishSocialLogin,
  finishSocialSignup,
  getProfile,
  getSocialLogins,
  getSocialProviders,
  getSocialSignup,
  linkSocialLogin,
  login,
  logout,
  refresh,
  signup,
  socialProviders,
  unlinkSocialLogin,
} from '@mogakgong/contract';
import { answerOf, type DoublePerson, type Lie } from '@mogakgong/social-double';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { appCode } from '../../../test/authenticator-app.ts';
import { untilLocked } from '../../../test/lock-waits.ts';
import { mailsTo, newResetToken, subjectsTo } from '../../../test/outbox.ts';
import { openSocialDouble, SOCIAL_SECRET } from '../../../test/social-double.ts';
import {
  createTestApp,
  type Learner,
  PASSWORD,
  signupPayload,
  type TestApp,
} from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { double, env: settings } = await openSocialDouble();
const { app } = await openTestSite({ env: settings });
afterEach(() => {
  double.lie = null;
});

function newPerson(change: Partial<DoublePerson> = {}): DoublePerson {
  const name = `사람 ${crypto.randomUUID().slice(0, 8)}`;
  return { name, email: `${crypto.randomUUID()}@example.org`, isEmailVerified: true, ...change };
}

/** A browser: what it keeps of cookies, and sends. */
class Browser {
  readonly cookies = new Map<string, string>();
  readonly #site: TestApp | undefined;

  /** @param site that it talks to, unless it is the one of all tests. */
  constructor(site?: TestApp) {
    this.#site = site;
  }

  async ask(
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    options: { token?: string | undefined; body?: object; origin?: string } = {},
  ) {
    const { token, body, origin } = options;
    const answer = await (this.#site ?? app).inject({
      method,
      url,
      headers: {
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(origin !== undefined && { origin }),
      },
      ...(body && { payload: body }),
    });
    for (const { name, value } of answer.cookies) {
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  /** Presses the button of /login; where the provider sends the browser after the answer of a person. */
  async choose(provider: string, person: DoublePerson | null, next?: string): Promise<URL> {
    const query = next === undefined ? '' : `?${new URLSearchParams({ next })}`;
    const started = await this.ask('GET', `/oauth2/authorization/${provider}${query}`);
    expect(started.statusCode).toBe(302);
    return answerOf(String(started.headers.location), person);
  }

  /** The request of the callback page. */
  finish(provider: string, { search }: URL) {
    return this.ask('GET', finishSocialLogin.path.replace(':provider', provider) + search);
  }

  async logIn(provider: string, person: DoublePerson) {
    return (await this.finish(provider, await this.choose(provider, person))).json();
  }

  signUp(nickname: string, consents = { age: true, terms: true, privacy: true }) {
    const body = { nickname, consents };
    return this.ask('POST', finishSocialSignup.path, { body });
  }

  beginToLink(provider: string, token: string | undefined) {
    return this.ask('POST', linkSocialLogin.path.replace(':provider', provider), { token });
  }

  /** The answer of the callback. */
  async link(provider: string, person: DoublePerson, token: string) {
    const started = await this.beginToLink(provider, token);
    return this.finish(provider, await answerOf(started.json<{ url: string }>().url, person));
  }

  unlink(provider: string, token: string) {
    return this.ask('DELETE', unlinkSocialLogin.path.replace(':provider', provider), { token });
  }
}

const newName = () => `n${crypto.randomUUID().slice(0, 12)}`;

/** A new person with an account. */
async function newSocialLearner(provider: string, person = newPerson()) {
  const browser = new Browser();
  await browser.logIn(provider, person);
  const { token } = (await browser.signUp(newName())).json<{ token: string }>();
  return { browser, person, token };
}

const profileOf = async (token: string) =>
  (
    await app.inject({ url: getProfile.path, headers: { authorization: `Bearer ${token}` } })
  ).json();

async function countUsers(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from users`.execute(
    app.database,
  );
  return rows[0]?.count ?? 0;
}

describe.each(socialProviders)('log-in by %s', (provider) => {
  it('makes an account once a new person has agreed, and finds it again', async () => {
    const person = newPerson();
    const browser = new Browser();
    const before = await countUsers();
    const callback = await browser.choose(provider, person, '/statistics');
    expect(callback.pathname).toBe(`/${provider}/callback`);
    const first = (await browser.finish(provider, callback)).json();
    expect(first).toEqual({ isNew: true, isLinked: false, next: '/statistics' });
    expect(await countUsers()).toBe(before);

    const begun = await browser.ask('GET', getSocialSignup.path);
    expect(begun.json()).toEqual({ provider, email: person.email, nickname: person.name });
    const nickname = newName();
    const { token } = (await browser.signUp(nickname)).json<{ token: string }>();
    const profile = await profileOf(token);
    expect(profile).toMatchObject({ nickname, email: provider === 'naver' ? '' : person.email });
    expect((await browser.ask('POST', refresh.path)).statusCode).toBe(200);
    expect((await browser.ask('GET', getSocialSignup.path)).statusCode).toBe(401);

    const again = await new Browser().logIn(provider, person);
    expect(again).toMatchObject({ isNew: false, next: '/main' });
    expect(decodeJwt(again.token).userId).toBe(profile.userId);
    const { rows } = await sql<{ social_provider: string; consents: number }>`
      select social_provider, (select count(*) from consent where user_id = id) as consents
      from users where id = ${profile.userId}`.execute(app.database);
    expect(rows).toEqual([{ social_provider: provider.toUpperCase(), consents: 3 }]);
  });

  it('needs no e-mail', async () => {
    const { token } = await newSocialLearner(provider, newPerson({ email: null }));
    expect(await profileOf(token)).toMatchObject({ email: '' });
  });

  it.each(['slow', 'huge', 'failing', 'redirecting', 'not JSON'] as const satisfies Lie[])(
    'fails within the time of a call when the provider is %s',
    async (lie) => {
      const browser = new Browser();
      const callback = await browser.choose(provider, newPerson());
      double.lie = lie;
      const startMs = performance.now();
      const secrets = [...callback.searchParams.values(), ...browser.cookies.values()];
      app.logLines.length = 0;
      const answer = await browser.finish(provider, callback);
      expect(answer.json()).toMatchObject({ error: 'socialLoginFailed', errorCode: 'O003' });
      expect(performance.now() - startMs).toBeLessThan(7_000);
      expect(browser.cookies.size).toBe(0);
      const log = app.logLines.join('');
      expect(log).toMatch(/"message":"socialLoginFailed".*"cause":\{"type":"\w+","message":"\w/u);
      for (const secret of [SOCIAL_SECRET, ...secrets]) expect(log).not.toContain(secret);
    },
  );

  it('keeps what fits into a cookie of what a provider says', async () => {
    const person = newPerson({ email: `${'a'.repeat(1_500)}@example.org` });
    const browser = new Browser();
    await browser.logIn(provider, { ...person, name: person.name.padEnd(1_000, '가') });
    expect([...browser.cookies.values()].join('').length).toBeLessThan(4_000);
    const begun = await browser.ask('GET', getSocialSignup.path);
    expect(begun.json()).toMatchObject({ provider, email: null });
  });

  it('takes a code once', async () => {
    const browser = new Browser();
    const callback = await browser.choose(provider, newPerson());
    const flow = [...browser.cookies];
    expect((await browser.finish(provider, callback)).statusCode).toBe(200);
    expect((await browser.finish(provider, callback)).json()).toMatchObject({
      error: 'socialLoginExpired',
    });
    // A browser that gives its cookie back cannot make the provider take the code again.
    const thief = new Browser();
    for (const [name, value] of flow) thief.cookies.set(name, value);
    expect((await thief.finish(provider, callback)).json()).toMatchObject({
      error: 'socialLoginFailed',
    });
  });
});

it.each([
  ['google', ['S256', true]],
  ['kakao', ['S256', false]],
  ['naver', [null, false]],
])(
  '%s is asked with a state, and with PKCE and a nonce where it knows them',
  async (provider, extras) => {
    const { headers } = await app.inject(`/oauth2/authorization/${provider}`);
    const { searchParams } = new URL(String(headers.location));
    expect(searchParams.get('state')).toMatch(/^[\w-]{43}$/u);
    const method = searchParams.get('code_challenge_method');
    expect([method, searchParams.has('nonce')]).toEqual(extras);
    expect(searchParams.has('code_challenge')).toBe(method !== null);
  },
);

it.each(['kakao', 'naver'])(
  '%s’s account of a person counts only with success',
  async (provider) => {
    double.lie = 'failing profile';
    expect(await new Browser().logIn(provider, newPerson())).toMatchObject({
      error: 'socialLoginFailed',
    });
  },
);

it('a subject is a person of Google’s issuer, and of our client at Kakao and Naver', async () => {
  for (const [provider, realm] of [
    ['google', double.urlOf('google')],
    ['kakao', 'us'],
    ['naver', 'us'],
  ] as const) {
    const { person } = await newSocialLearner(provider);
    const { rows } = await sql<{ realm: string }>`
      update social_identity set realm = 'another' from (
        select realm as before from social_identity where email = ${person.email}
      ) as old
      where email = ${person.email} returning before as realm`.execute(app.database);
    expect(rows).toEqual([{ realm }]);
    expect(await new Browser().logIn(provider, person)).toMatchObject({ isNew: true });
  }
});

describe('an ID token', () => {
  it.each([
    'issuer',
    'audience',
    'nonce',
    'signature',
    'expired',
    'subject',
  ] as const satisfies Lie[])('with a wrong %s is refused', async (lie) => {
    double.lie = lie;
    const browser = new Browser();
    const answer = await browser.finish('google', await browser.choose('google', newPerson()));
    expect(answer.json()).toMatchObject({ error: 'socialLoginFailed' });
  });
});

describe('a log-in', () => {
  it('is finished only by the browser that began it, with its own state', async () => {
    const attacker = new Browser();
    const callback = await attacker.choose('kakao', newPerson());
    const victim = new Browser();
    expect((await victim.finish('kakao', callback)).json()).toMatchObject({
      error: 'socialLoginExpired',
    });
    const own = await victim.choose('kakao', newPerson());
    expect((await victim.finish('kakao', callback)).json()).toMatchObject({
      error: 'socialLoginExpired',
    });
    expect((await victim.finish('kakao', own)).json()).toMatchObject({ isNew: true });

    double.lie = 'state';
    const confused = await victim.choose('kakao', newPerson());
    expect((await victim.finish('kakao', confused)).json()).toMatchObject({
      error: 'socialLoginExpired',
    });
  });

  it.each(['', '?code=c', '?code=c&state=a%20b%3Bc', '?code=c&code=d&state=s', '?state=s'])(
    'is not finished by a callback with the query "%s"',
    async (search) => {
      const answer = await new Browser().finish('kakao', new URL(`http://localhost/${search}`));
      expect(answer.statusCode).toBe(400);
    },
  );

  it('is not finished as another provider’s', async () => {
    const browser = new Browser();
    const callback = await browser.choose('kakao', newPerson());
    expect((await browser.finish('naver', callback)).json()).toMatchObject({
      error: 'socialLoginExpired',
    });
  });

  it('refuses the answer of an issuer that is not the provider', async () => {
    const browser = new Browser();
    const callback = await browser.choose('google', newPerson());
    callback.searchParams.set('iss', 'https://mix-up.example.org');
    expect((await browser.finish('google', callback)).json()).toMatchObject({
      error: 'socialLoginFailed',
    });
  });

  it('ends ten minutes after it began', async () => {
    const browser = new Browser();
    const callback = await browser.choose('google', newPerson());
    app.clock.advance(11 * 60_000);
    expect((await browser.finish('google', callback)).statusCode).toBe(400);
  });

  it('goes on in the latest tab, and keeps one cookie for each provider', async () => {
    const browser = new Browser();
    await browser.choose('kakao', newPerson());
    const earlier = await browser.choose('naver', newPerson());
    const latest = await browser.choose('naver', newPerson());
    expect(browser.cookies.size).toBe(2);
    expect((await browser.finish('naver', earlier)).json()).toMatchObject({
      error: 'socialLoginExpired',
    });
    expect((await browser.finish('naver', latest)).json()).toMatchObject({ isNew: true });
  });

  it('is begun and finished 30 times a minute from one address', async () => {
    const limited = await createTestApp({ env: { ...settings, RATE_LIMIT_SCALE: '1' } });
    try {
      const begin = async () => (await limited.inject('/oauth2/authorization/naver')).headers;
      for (let count = 0; count < 30; count += 1) {
        expect((await begin()).location).toContain(double.urlOf('naver'));
      }
      expect((await begin()).location).toBe('/auth/failure?error=tooManyRequests');
      const finished = await limited.inject('/api/oauth/kakao/callback?code=c&state=s');
      expect(finished.statusCode).toBe(429);
    } finally {
      await limited.close();
    }
  });

  it('over https leads back to the address of the site, with cookies of this host alone', async () => {
    const env = { ...settings, PUBLIC_URL: 'https://study.example.org' };
    const site = await createTestApp({ env });
    try {
      const { headers } = await site.inject({
        url: '/oauth2/authorization/google',
        headers: { host: 'evil.example.org' },
      });
      expect(new URL(String(headers.location)).searchParams.get('redirect_uri')).toBe(
        'https://study.example.org/google/callback',
      );
      expect(headers['set-cookie']).toMatch(
        /^__Host-mogakgong_oauth_google=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Strict$/u,
      );
    } finally {
      await site.close();
    }
  });

  it.each(['evil.example.org', 'localhost:81', '192.168.0.7:80', 'localhost.evil.example.org'])(
    'without an address of the site is refused where the browser asks %s for it',
    async (host) => {
      const begun = await app.inject({
        url: '/oauth2/authorization/google',
        headers: { host },
      });
      expect(begun.headers.location).toBe('/auth/failure?error=socialLoginElsewhere');
      expect(begun.headers['set-cookie']).toBeUndefined();
      const { headers } = await app.newLearner();
      const { method, path } = linkSocialLogin;
      const url = path.replace(':provider', 'google');
      const linking = await app.inject({ method, url, headers: { ...headers, host } });
      expect(linking.json()).toMatchObject({ error: 'socialLoginElsewhere' });
    },
  );

  it('keeps its secrets in cookies that no script and no other site can use', async () => {
    const started = await app.inject('/oauth2/authorization/google');
    expect(started.headers['cache-control']).toBe('no-store');
    expect(started.headers['set-cookie']).toMatch(
      /Max-Age=600; Path=\/api\/oauth; HttpOnly; SameSite=Strict$/u,
    );
    const browser = new Browser();
    await browser.logIn('google', newPerson());
    const foreign = await browser.ask('GET', getSocialSignup.path, {
      origin: 'https://evil.example.org',
    });
    expect(foreign.statusCode).toBe(403);
  });

  it.each(['//evil.example.org', '/\\evil.example.org', 'https://evil.example.org', '/a b', 'x'])(
    'goes on at /main instead of %s',
    async (next) => {
      const browser = new Browser();
      const callback = await browser.choose('naver', newPerson(), next);
      expect((await browser.finish('naver', callback)).json()).toMatchObject({ next: '/main' });
    },
  );

  it('says on a page that a provider is unknown or not configured', async () => {
    const refused = '/auth/failure?error=socialProviderMissing';
    expect((await app.inject('/oauth2/authorization/facebook')).headers.location).toBe(refused);
    const unconfigured = await createTestApp();
    try {
      const none = await unconfigured.inject(getSocialProviders.path);
      expect(none.json()).toEqual({ providers: [] });
      const answer = await unconfigured.inject('/oauth2/authorization/google');
      expect([answer.statusCode, answer.headers.location]).toEqual([302, refused]);
    } finally {
      await unconfigured.close();
    }
    expect((await app.inject(getSocialProviders.path)).json()).toEqual({
      providers: socialProviders.map((provider) => ({ provider, isDouble: true })),
    });
  });
});

describe('the sign-up of a new person', () => {
  it('happens only with all consents and a good name, in the browser that logged in', async () => {
    const browser = new Browser();
    await browser.logIn('google', newPerson());
    const before = await countUsers();
    const none = { age: false, terms: true, privacy: true };
    expect((await browser.signUp(newName(), none)).json()).toMatchObject({
      error: 'consentsMissing',
    });
    expect((await browser.signUp('  ')).json()).toMatchObject({ error: 'signupFieldsMissing' });
    expect((await browser.signUp('운영자')).json()).toMatchObject({ error: 'nicknameTaken' });
    expect((await new Browser().signUp(newName())).json()).toMatchObject({
      error: 'socialSignupExpired',
    });
    expect(await countUsers()).toBe(before);
    expect((await browser.signUp(newName())).statusCode).toBe(200);
  });

  it('makes one account when it is sent again, as after a lost reply', async () => {
    const browser = new Browser();
    await browser.logIn('kakao', newPerson());
    const cookies = [...browser.cookies];
    const name = newName();
    expect((await browser.signUp(name)).statusCode).toBe(200);
    for (const [cookie, value] of cookies) browser.cookies.set(cookie, value);
    expect((await browser.signUp(name)).json()).toMatchObject({ error: 'socialLoginTaken' });
  });

  it('makes one account when it is sent twice at once', async () => {
    const browser = new Browser();
    await browser.logIn('kakao', newPerson());
    const before = await countUsers();
    const { sending } = await app.database.transaction().execute(async (other) => {
      // Lets both find that nobody has the identity, and neither store it.
      await sql`lock table social_identity in exclusive mode`.execute(other);
      const sending = Promise.all([newName(), newName()].map((name) => browser.signUp(name)));
      await untilLocked(app.database, 2, 'insert into social_identity');
      return { sending };
    });
    const answers = await sending;
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409]);
    expect(await countUsers()).toBe(before + 1);
  });

  it('cannot be finished with the sealed value of another purpose', async () => {
    const browser = new Browser();
    await browser.choose('google', newPerson());
    const [flow] = browser.cookies.values();
    browser.cookies.set('mogakgong_signup', String(flow));
    expect((await browser.signUp(newName())).statusCode).toBe(401);
  });
});

const NEW_PASSWORD = 'Green-desk-7';

/** Sets a new password by the link that is mailed to an address. */
async function resetPassword(email: string): Promise<void> {
  const token = await newResetToken(app, email);
  const payload = { token, newPassword: NEW_PASSWORD, confirmNewPassword: NEW_PASSWORD };
  const { method, path: url } = finishPasswordReset;
  expect((await app.inject({ method, url, payload })).json()).toEqual({ changed: true });
}

describe('an account with the same e-mail', () => {
  it('is neither opened nor changed by a social log-in: it may be of somebody else', async () => {
    const local = { ...signupPayload(), email: `${crypto.randomUUID()}@example.org` };
    await app.inject({ method: 'POST', url: signup.path, payload: local });
    const person = newPerson({ email: local.email.toUpperCase() });
    const { token } = await newSocialLearner('google', person);
    const profile = await profileOf(token);
    expect(profile).toMatchObject({ email: '' });
    expect(profile.nickname).not.toBe(local.nickname);
  });

  it('cannot be made with an address that a provider has not verified', async () => {
    const unverified = newPerson({ isEmailVerified: false });
    for (const provider of ['google', 'kakao', 'naver']) {
      const { token } = await newSocialLearner(provider, unverified);
      expect(await profileOf(token)).toMatchObject({ email: '' });
    }
    const payload = { ...signupPayload(), email: unverified.email };
    expect((await app.inject({ method: 'POST', url: signup.path, payload })).statusCode).toBe(200);
  });

  it('is not made with an address that could look like another', async () => {
    const lookalike = `раul.${crypto.randomUUID()}@example.org`;
    const { token } = await newSocialLearner('google', newPerson({ email: lookalike }));
    expect(await profileOf(token)).toMatchObject({ email: '' });
  });

  it('is the only one of its owner while it is suspended', async () => {
    const { person, token } = await newSocialLearner('google');
    await sql`
      insert into sanction (user_id, kind, reason, imposed_at, changed_at)
      values (${Number(decodeJwt(token).userId)}, 'ban', 'Insults', now(), now())`.execute(
      app.database,
    );
    await app.runJob('sanctions');
    const browser = new Browser();
    await browser.logIn('kakao', person);
    const refused = await browser.signUp(newName());
    expect([refused.statusCode, refused.json()]).toMatchObject([
      403,
      { error: 'accountSuspended' },
    ]);
  });

  it('loses what a stranger linked to it when the owner of the e-mail resets the password, once', async () => {
    const victim = await app.newLearner();
    const stranger = newPerson();
    await new Browser().link('kakao', stranger, victim.token);
    await resetPassword(victim.email);
    expect(await new Browser().logIn('kakao', stranger)).toMatchObject({ isNew: true });

    const own = newPerson();
    const payload = { email: victim.email, password: NEW_PASSWORD };
    const loggedIn = await app.inject({ method: 'POST', url: login.path, payload });
    await new Browser().link('naver', own, loggedIn.json<{ token: string }>().token);
    await resetPassword(victim.email);
    const { token } = await new Browser().logIn('naver', own);
    expect(decodeJwt(token).userId).toBe(victim.userId);
  });

  it('that a provider has verified keeps its log-in when the password is reset', async () => {
    const { person, token } = await newSocialLearner('google');
    await resetPassword(String(person.email));
    const again = await new Browser().logIn('google', person);
    expect(decodeJwt(again.token).userId).toBe(decodeJwt(token).userId);
  });

  it('asks for the second factor of an account that has one', async () => {
    const { person, token } = await newSocialLearner('google');
    const headers = { authorization: `Bearer ${token}` };
    const send = (url: string, payload = {}) =>
      app.inject({ method: 'POST', url, headers, payload });
    const { secret } = (await send(beginSecondFactor.path)).json<{ secret: string }>();
    await send(confirmSecondFactor.path, { code: appCode(secret, app.clock.now()) });
    app.clock.advance(30_000);
    const browser = new Browser();
    expect(await browser.logIn('google', person)).toEqual({
      needsSecondFactor: true,
      isNew: false,
      isLinked: false,
      next: '/main',
    });
    expect((await browser.ask('POST', refresh.path)).statusCode).toBe(401);
    const body = { code: appCode(secret, app.clock.now()) };
    const finished = await browser.ask('POST', finishLogin.path, { body });
    expect(decodeJwt(finished.json<{ token: string }>().token).userId).toBe(
      decodeJwt(token).userId,
    );
  });

  it('has no password to guess when it was made by a provider', async () => {
    const { person } = await newSocialLearner('google');
    // The last is what a log-in to an unknown address is compared with.
    for (const password of ['', PASSWORD, 'null', 'no account has this password']) {
      const payload = { email: person.email, password };
      const answer = await app.inject({ method: 'POST', url: '/api/auth/login', payload });
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    }
  });
});

describe('linking', () => {
  let learner: Learner;
  const browser = new Browser();
  beforeAll(async () => {
    learner = await app.newLearner();
  });
  const listOf = async () =>
    (await app.inject({ url: getSocialLogins.path, headers: learner.headers })).json();

  it('adds a way into the account that asked for it', async () => {
    const person = newPerson();
    expect(await listOf()).toEqual({ logins: [], hasPassword: true });
    const linked = await browser.link('kakao', person, learner.token);
    expect(linked.json()).toEqual({ isNew: false, isLinked: true, next: '/settings/security' });
    expect(await listOf()).toMatchObject({ logins: [{ provider: 'kakao', email: person.email }] });
    const { token } = await new Browser().logIn('kakao', person);
    expect(decodeJwt(token).userId).toBe(learner.userId);
  });

  it('ends where the account asks for codes since, and the log-in has given none', async () => {
    const { email, headers, token } = await app.newLearner();
    const other = await app.inject({
      ...{ method: 'POST', url: '/api/auth/login' },
      payload: { email, password: PASSWORD },
    });
    const send = (url: string, payload = {}) =>
      app.inject({ method: 'POST', url, headers, payload });
    const tabs = [new Browser(), new Browser()] as const;
    const begun = await Promise.all([
      tabs[0].beginToLink('google', other.json<{ token: string }>().token),
      tabs[1].beginToLink('google', token),
    ]);
    const { secret } = (await send(beginSecondFactor.path)).json<{ secret: string }>();
    await send(confirmSecondFactor.path, { code: appCode(secret, app.clock.now()) });
    const answers: unknown[] = [];
    for (const [index, started] of begun.entries()) {
      const query = await answerOf(started.json<{ url: string }>().url, newPerson());
      answers.push((await tabs[index]?.finish('google', query))?.json());
    }
    expect(answers).toMatchObject([{ error: 'socialLoginExpired' }, { isLinked: true }]);
  });

  it('needs a log-in, and takes one of each provider', async () => {
    expect((await browser.beginToLink('kakao', undefined)).statusCode).toBe(401);
    expect((await browser.link('kakao', newPerson(), learner.token)).json()).toMatchObject({
      error: 'socialLoginExists',
    });
  });

  it('may be repeated', async () => {
    const person = newPerson();
    const tabs = [new Browser(), new Browser()];
    for (const tab of tabs) {
      expect((await tab.link('google', person, learner.token)).json()).toMatchObject({
        isLinked: true,
      });
    }
    await tabs[0]?.unlink('google', learner.token);
  });

  it('does not take the log-in of another account', async () => {
    const { person, token } = await newSocialLearner('naver');
    expect((await browser.link('naver', person, learner.token)).json()).toMatchObject({
      error: 'socialLoginTaken',
    });
    const own = await new Browser().logIn('naver', person);
    expect(decodeJwt(own.token).userId).toBe(decodeJwt(token).userId);
  });

  it('does nothing for a log-in that a new password ends at that moment', async () => {
    const { token, userId } = await app.newLearner();
    const person = newPerson();
    const other = new Browser();
    const { url } = (await other.beginToLink('naver', token)).json<{ url: string }>();
    const callback = await answerOf(url, person);
    const { linking } = await app.database.transaction().execute(async (reset) => {
      await sql`update users set password_hash = 'another' where id = ${userId}`.execute(reset);
      const linking = other.finish('naver', callback);
      await untilLocked(app.database, 1, 'for no key update');
      await sql`update login_session set ended_at = now() where user_id = ${userId}`.execute(reset);
      return { linking };
    });
    expect((await linking).statusCode).toBe(409);
    expect(await new Browser().logIn('naver', person)).toMatchObject({ isNew: true });
  });

  it('does nothing for a log-in that has ended meanwhile', async () => {
    const { token, browser: other } = await newSocialLearner('google');
    const { url } = (await other.beginToLink('naver', token)).json<{ url: string }>();
    await other.ask('POST', logout.path, { token });
    const answer = await other.finish('naver', await answerOf(url, newPerson()));
    expect(answer.json()).toMatchObject({ error: 'socialLoginExpired' });
  });

  it('and unlinking need a recent log-in; one by the provider is', async () => {
    const { token, browser: other, person } = await newSocialLearner('google');
    app.clock.advance(14 * 60_000);
    expect((await other.beginToLink('naver', token)).statusCode).toBe(200);
    app.clock.advance(2 * 60_000);
    const { token: later } = (await other.ask('POST', refresh.path)).json<{ token: string }>();
    for (const answer of [
      await other.beginToLink('naver', later),
      await other.unlink('google', later),
    ]) {
      expect(answer.json()).toMatchObject({ error: 'loginNotRecent' });
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    const again = await new Browser().logIn('google', person);
    expect((await other.beginToLink('naver', again.token)).statusCode).toBe(200);
  });
});

describe('unlinking', () => {
  it('leaves the last way in', async () => {
    const { browser, token } = await newSocialLearner('google');
    expect((await browser.unlink('google', token)).json()).toMatchObject({ error: 'lastLogin' });
    await browser.link('kakao', newPerson(), token);
    expect((await browser.unlink('google', token)).json()).toMatchObject({
      logins: [{ provider: 'kakao' }],
      hasPassword: false,
    });
    expect((await browser.unlink('kakao', token)).statusCode).toBe(409);
  });

  it('leaves the last way in when the other one is unlinked at that moment', async () => {
    const { browser, token } = await newSocialLearner('google');
    await browser.link('kakao', newPerson(), token);
    const userId = Number(decodeJwt(token).userId);
    const { unlinking } = await app.database.transaction().execute(async (other) => {
      await sql`delete from social_identity
                where user_id = ${userId} and provider = 'google'`.execute(other);
      const unlinking = browser.unlink('kakao', token);
      await untilLocked(app.database, 1, 'delete from social_identity');
      return { unlinking };
    });
    expect((await unlinking).json()).toMatchObject({ error: 'lastLogin' });
  });

  it('closes that way in, and may be repeated', async () => {
    const learner = await app.newLearner();
    const browser = new Browser();
    const person = newPerson();
    await browser.link('google', person, learner.token);
    for (const _ of [1, 2]) {
      const answer = await browser.unlink('google', learner.token);
      expect(answer.json()).toEqual({ logins: [], hasPassword: true });
    }
    expect(await new Browser().logIn('google', person)).toMatchObject({ isNew: true });
  });
});

describe('a mail', () => {
  const LINKED = '소셜 로그인을 연결했어요';
  const UNLINKED = '소셜 로그인 연결을 해제했어요';
  const untilMailed = (email: string, subjects: string[]) =>
    vi.waitFor(async () => expect((await subjectsTo(app, email)).toSorted()).toEqual(subjects));

  it('tells the account that a social log-in was linked or unlinked, once', async () => {
    const { token, email } = await app.newLearner();
    const browser = new Browser();
    const person = newPerson();
    for (const _ of [1, 2]) await browser.link('kakao', person, token);
    await untilMailed(email, [LINKED]);
    const [mail] = await mailsTo(app, email);
    expect(mail).toContain(`[모각공] ${LINKED} / A social log-in was linked\n`);
    expect(mail).toContain('모르는 로그인 방법을 지워 주세요');
    for (const _ of [1, 2]) await browser.unlink('kakao', token);
    await untilMailed(email, [UNLINKED, LINKED].toSorted());
    expect((await mailsTo(app, email)).join('')).toContain(
      `[모각공] ${UNLINKED} / A social log-in was unlinked\n`,
    );
  });

  it('is not sent about what failed', async () => {
    const { browser, person, token } = await newSocialLearner('google');
    const other = await newSocialLearner('kakao');
    for (const answer of [
      await browser.unlink('google', token),
      await browser.link('kakao', other.person, token),
      await browser.link('google', newPerson(), token),
    ]) {
      expect(answer.statusCode).toBe(409);
    }
    await browser.link('naver', newPerson(), token);
    await untilMailed(String(person.email), [LINKED]);
    expect(await mailsTo(app, String(other.person.email))).toEqual([]);
  });

  it('that a mail server does not take fails nothing', async () => {
    const site = await createTestApp({
      besides: app,
      env: {
        ...settings,
        SMTP_URL: 'smtp://127.0.0.1:9',
        MAIL_FROM: 'study@example.org',
        PUBLIC_URL: 'http://localhost:3000',
      },
    });
    try {
      const { token } = await app.newLearner();
      const browser = new Browser(site);
      const linked = await browser.link('naver', newPerson(), token);
      expect(linked.json()).toMatchObject({ isLinked: true });
      const unlinked = await browser.unlink('naver', token);
      expect(unlinked.json()).toMatchObject({ logins: [] });
      const failures = () => site.logLines.filter((line) => line.includes('a mail was not sent'));
      await vi.waitFor(() => expect(failures()).toHaveLength(2));
    } finally {
      await site.close();
    }
  });
});

it.each(['google', 'kakao', 'naver'])(
  'the calls of the specification work as its client makes them (§2, §7): %s',
  async (provider) => {
    const { person } = await newSocialLearner(provider);
    const browser = new Browser();
    const redirect = await browser.ask('GET', `/oauth2/authorization/${provider}`);
    const callback = await answerOf(String(redirect.headers.location), person);
    const code = callback.searchParams.get('code') ?? '';
    const state = callback.searchParams.get('state') ?? '';
    const query = new URLSearchParams({ code, state });
    const finished = await browser.ask('GET', `/api/oauth/${provider}/callback?${query}`);
    const { token, isNew } = finished.json<{ token: string; isNew: boolean }>();
    expect(isNew).toBe(false);
    const userId = decodeJwt(token).userId;
    for (const path of [
      '/api/user/profile',
      '/api/user/stat/normal',
      '/api/user/stat/today-study-time',
      `/api/titles/${userId}/list`,
    ]) {
      expect([path, (await browser.ask('GET', path, { token })).statusCode]).toEqual([path, 200]);
    }
  },
);

it('a token of a social log-in lasts as long as any other', async () => {
  const { token } = await newSocialLearner('naver');
  const { exp = 0, iat = 0 } = decodeJwt(token);
  expect(exp - iat).toBe(ACCESS_TOKEN_SECONDS);
});
