import {
  addPasskey,
  beginPasskey,
  beginPasskeyLogin,
  beginSecondFactor,
  confirmSecondFactor,
  finishPasswordReset,
  getPasskeys,
  getProfile,
  logInByPasskey,
  PASSKEY_CHALLENGE_SECONDS,
  type Passkey,
  type RouteDefinition,
  reauthenticate,
  removePasskey,
  renamePasskey,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { appCode } from '../../../test/authenticator-app.ts';
import { untilLocked } from '../../../test/lock-waits.ts';
import { type Lie, SoftwareAuthenticator } from '../../../test/software-authenticator.ts';
import { cookieOf, type Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app } = await openTestSite();

type Headers = Readonly<Record<string, string>>;

/** In a test the site is at http://localhost:80. */
const ask = (
  { method, path: url }: { method: RouteDefinition['method']; path: string },
  headers: Headers = {},
  payload?: object,
) => app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) });

/** The options of the authenticator, and the cookie of the browser. */
async function begin(route: Pick<RouteDefinition, 'method' | 'path'>, headers?: Headers) {
  const answer = await ask(route, headers);
  const { options } = answer.json<{ options: { challenge: string; user: { id: string } } }>();
  return { options, cookie: cookieOf(answer.headers['set-cookie']) };
}

async function add(learner: Learner, authenticator: SoftwareAuthenticator, lie?: Lie) {
  const { options, cookie } = await begin(beginPasskey, learner.headers);
  const passkey = authenticator.create(options, lie);
  return ask(addPasskey, { ...learner.headers, cookie }, { passkey, name: ' phone ' });
}

/** A learner with a passkey. */
async function newHolder() {
  const learner = await app.newLearner();
  const authenticator = new SoftwareAuthenticator();
  expect((await add(learner, authenticator)).statusCode).toBe(200);
  return { learner, authenticator };
}

async function logIn(authenticator: SoftwareAuthenticator, lie?: Lie) {
  app.clock.advance(1);
  const { options, cookie } = await begin(beginPasskeyLogin);
  return ask(logInByPasskey, { cookie }, { passkey: authenticator.get(options, lie) });
}

const listOf = async ({ headers }: Learner) =>
  (await ask(getPasskeys, headers)).json<{ passkeys: Passkey[] }>().passkeys;
const pathOf = (path: string, passkeyId: string) => path.replace(':passkeyId', passkeyId);

describe('a passkey', () => {
  it('is added, logs in, and shows when it was used', async () => {
    const { learner, authenticator } = await newHolder();
    expect(await listOf(learner)).toEqual([
      {
        passkeyId: expect.any(String),
        name: 'phone',
        createdAtMs: app.clock.now().getTime(),
        lastUsedAtMs: null,
      },
    ]);
    const answer = await logIn(authenticator);
    const { token } = answer.json<{ token: string }>();
    const profile = await ask(getProfile, { authorization: `Bearer ${token}` });
    expect(profile.json()).toMatchObject({ userId: learner.userId });
    expect(answer.cookies.map(({ name, value }) => [name, value !== ''])).toEqual([
      ['mogakgong_passkey', false],
      ['mogakgong_refresh', true],
      ['mogakgong_browser', true],
    ]);
    expect(await listOf(learner)).toMatchObject([{ lastUsedAtMs: app.clock.now().getTime() }]);
    expect((await logIn(authenticator)).statusCode).toBe(200);
  });

  it('asks its authenticator to keep it, and to make sure that its owner is there', async () => {
    const { learner, authenticator } = await newHolder();
    const { options } = await begin(beginPasskey, learner.headers);
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      excludeCredentials: [{ id: authenticator.credentialId.toString('base64url') }],
    });
    expect((await begin(beginPasskeyLogin)).options).toMatchObject({
      rpId: 'localhost',
      userVerification: 'required',
    });
  });

  it('is added without reading what its authenticator states about its maker', async () => {
    const learner = await app.newLearner();
    const authenticator = new SoftwareAuthenticator();
    expect((await add(learner, authenticator, { statesMaker: true })).statusCode).toBe(200);
    expect((await logIn(authenticator)).statusCode).toBe(200);
  });

  it('counts as both factors', async () => {
    const { learner, authenticator } = await newHolder();
    const begun = await ask(beginSecondFactor, learner.headers);
    const code = appCode(begun.json<{ secret: string }>().secret, app.clock.now());
    expect((await ask(confirmSecondFactor, learner.headers, { code })).statusCode).toBe(200);
    expect((await logIn(authenticator)).json()).toEqual({ token: expect.any(String) });
  });

  it('confirms the learner, if it is one’s own', async () => {
    const [own, other] = [await newHolder(), await newHolder()];
    const prove = async (authenticator: SoftwareAuthenticator) => {
      app.clock.advance(1);
      const { options, cookie } = await begin(beginPasskeyLogin);
      const passkey = authenticator.get(options);
      return ask(reauthenticate, { ...own.learner.headers, cookie }, { passkey });
    };
    expect((await prove(other.authenticator)).json()).toMatchObject({ error: 'passkeyRefused' });
    expect((await prove(own.authenticator)).json()).toEqual({ authenticated: true });
  });

  it('is renamed and removed by its owner alone; adding and removing need a recent log-in', async () => {
    const [own, other] = [await newHolder(), await newHolder()];
    const [{ passkeyId = '' } = {}] = await listOf(own.learner);
    const rename = (headers: Headers, name: string) =>
      ask({ ...renamePasskey, path: pathOf(renamePasskey.path, passkeyId) }, headers, { name });
    const remove = (headers: Headers) =>
      ask({ ...removePasskey, path: pathOf(removePasskey.path, passkeyId) }, headers);
    expect((await rename(other.learner.headers, 'mine')).json()).toMatchObject({
      error: 'passkeyNotFound',
    });
    expect((await remove(other.learner.headers)).statusCode).toBe(200);
    expect((await rename(own.learner.headers, '  ')).statusCode).toBe(400);
    expect((await rename(own.learner.headers, '회사 노트북')).json()).toMatchObject({
      passkeys: [{ name: '회사 노트북' }],
    });
    const stale = await app.renew(own.learner);
    for (const answer of [await ask(beginPasskey, stale.headers), await remove(stale.headers)]) {
      expect(answer.json()).toMatchObject({ error: 'loginNotRecent' });
    }
    expect((await remove(own.learner.headers)).json()).toEqual({ passkeys: [] });
    expect((await logIn(own.authenticator)).json()).toMatchObject({ error: 'passkeyRefused' });
  });

  it('is one of twenty at most', async () => {
    const learner = await app.newLearner();
    for (let count = 0; count < 20; count += 1) await add(learner, new SoftwareAuthenticator());
    expect((await ask(beginPasskey, learner.headers)).json()).toMatchObject({
      error: 'tooManyPasskeys',
    });
  });

  it('is one of twenty at most, also if several were begun before the twentieth', async () => {
    const learner = await app.newLearner();
    const begun = await Promise.all(
      Array.from({ length: 4 }, () => begin(beginPasskey, learner.headers)),
    );
    for (let count = 0; count < 19; count += 1) await add(learner, new SoftwareAuthenticator());
    const answers = await Promise.all(
      begun.map(({ options, cookie }) => {
        const passkey = new SoftwareAuthenticator().create(options);
        return ask(addPasskey, { ...learner.headers, cookie }, { passkey, name: 'phone' });
      }),
    );
    expect(answers.map((answer) => answer.json().error).sort()).toEqual([
      'tooManyPasskeys',
      'tooManyPasskeys',
      'tooManyPasskeys',
      undefined,
    ]);
    expect(await listOf(learner)).toHaveLength(20);
  });

  it('is not added by a log-in that a new password ends at that moment', async () => {
    const learner = await app.newLearner();
    const authenticator = new SoftwareAuthenticator();
    const { options, cookie } = await begin(beginPasskey, learner.headers);
    const passkey = authenticator.create(options);
    const { adding } = await app.database.transaction().execute(async (reset) => {
      const whose = sql`where user_id = ${learner.userId}`;
      await sql`update users set password_hash = 'another' where id = ${learner.userId}`.execute(
        reset,
      );
      const adding = ask(addPasskey, { ...learner.headers, cookie }, { passkey, name: 'phone' });
      await untilLocked(app.database, 1, 'for no key update');
      await sql`delete from passkey ${whose}`.execute(reset);
      await sql`update login_session set ended_at = now() ${whose}`.execute(reset);
      return { adding };
    });
    expect((await adding).statusCode).toBe(409);
    expect((await logIn(authenticator)).json()).toMatchObject({ error: 'passkeyRefused' });
  });

  it('that a stranger added goes when the owner of the e-mail resets the password first', async () => {
    const { learner, authenticator } = await newHolder();
    const token = 'A'.repeat(43);
    await sql`insert into password_reset
      values (sha256(${token}::bytea), ${learner.email}, ${new Date(app.clock.now().getTime() + 60_000)})`.execute(
      app.database,
    );
    const newPassword = 'Green-desk-7';
    const reset = { token, newPassword, confirmNewPassword: newPassword };
    expect((await ask(finishPasswordReset, {}, reset)).json()).toEqual({ changed: true });
    expect((await logIn(authenticator)).json()).toMatchObject({ error: 'passkeyRefused' });
  });
});

const lies: readonly (readonly [string, Lie])[] = [
  ['another origin', { origin: 'https://evil.example' }],
  ['another port of our host', { origin: 'http://localhost:81' }],
  ['another relying party', { rpId: 'evil.example' }],
  ['another challenge', { challenge: 'AAAA' }],
  ['no verified owner', { isUnverified: true }],
];

describe('what is refused', () => {
  it.each(lies)('adding: %s', async (_, lie) => {
    const learner = await app.newLearner();
    const answer = await add(learner, new SoftwareAuthenticator(), lie);
    expect(answer.json()).toMatchObject({ error: 'passkeyRefused' });
    expect(await listOf(learner)).toEqual([]);
  });

  it.each([
    ...lies,
    ['another key', { isSignedByAnother: true }],
    ['the handle of another learner', { userHandle: Buffer.from('1').toString('base64url') }],
  ] as const)('logging in: %s', async (_, lie) => {
    const { authenticator } = await newHolder();
    const answer = await logIn(authenticator, lie);
    expect(answer.json()).toMatchObject({ error: 'passkeyRefused' });
    expect(answer.cookies.some(({ name }) => name === 'mogakgong_refresh')).toBe(false);
    expect((await logIn(authenticator)).statusCode).toBe(200);
  });

  it('a copied authenticator: its count is not higher than the last', async () => {
    const { authenticator } = await newHolder();
    expect((await logIn(authenticator, { count: 5 })).statusCode).toBe(200);
    for (const count of [5, 4, 0]) {
      expect((await logIn(authenticator, { count })).json()).toMatchObject({
        error: 'passkeyRefused',
      });
    }
    expect((await logIn(authenticator, { count: 6 })).statusCode).toBe(200);
  });

  it('an answer that was given before, even to an authenticator that does not count', async () => {
    const learner = await app.newLearner();
    const authenticator = new SoftwareAuthenticator();
    await add(learner, authenticator, { count: 0 });
    const { options, cookie } = await begin(beginPasskeyLogin);
    const passkey = authenticator.get(options, { count: 0 });
    const both = await Promise.all([
      ask(logInByPasskey, { cookie }, { passkey }),
      ask(logInByPasskey, { cookie }, { passkey }),
    ]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
    expect((await logIn(authenticator, { count: 0 })).statusCode).toBe(200);
    expect((await ask(logInByPasskey, { cookie }, { passkey })).statusCode).toBe(403);
  });

  it('a challenge of another browser, of five minutes ago, or of another purpose', async () => {
    const { learner, authenticator } = await newHolder();
    const refused = { error: 'passkeyRefused' };
    const { options, cookie } = await begin(beginPasskeyLogin);
    const { cookie: foreign } = await begin(beginPasskeyLogin);
    const passkey = authenticator.get(options);
    expect((await ask(logInByPasskey, {}, { passkey })).json()).toMatchObject(refused);
    expect((await ask(logInByPasskey, { cookie: foreign }, { passkey })).json()).toMatchObject(
      refused,
    );
    const adding = await begin(beginPasskey, learner.headers);
    const crossed = authenticator.get(adding.options);
    expect(
      (await ask(logInByPasskey, { cookie: adding.cookie }, { passkey: crossed })).json(),
    ).toMatchObject(refused);
    const other = await app.newLearner();
    const stolen = { ...other.headers, cookie: adding.cookie };
    const created = new SoftwareAuthenticator().create(adding.options);
    expect(
      (await ask(addPasskey, stolen, { passkey: created, name: 'phone' })).json(),
    ).toMatchObject(refused);
    app.clock.advance(PASSKEY_CHALLENGE_SECONDS * 1_000);
    expect((await ask(logInByPasskey, { cookie }, { passkey })).json()).toMatchObject(refused);
  });

  it('a passkey that somebody has already', async () => {
    const { authenticator } = await newHolder();
    const other = await app.newLearner();
    expect((await add(other, authenticator)).json()).toMatchObject({ error: 'passkeyExists' });
  });
});
