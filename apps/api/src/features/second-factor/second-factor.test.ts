import {
  beginSecondFactor,
  confirmSecondFactor,
  finishLogin,
  getProfile,
  getSecondFactor,
  login,
  type RouteDefinition,
  reauthenticate,
  renewRecoveryCodes,
  SECOND_FACTOR_SECONDS,
  turnOffSecondFactor,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { appCode } from '../../../test/authenticator-app.ts';
import { untilLocked } from '../../../test/lock-waits.ts';
import { cookieOf, createTestApp, type Learner, PASSWORD } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app } = await openTestSite();

const STEP_MS = 30_000;

type Headers = Record<string, string>;

const ask = (
  { method, path: url }: Pick<RouteDefinition, 'method' | 'path'>,
  headers: Headers,
  payload?: object,
  to = app,
) => to.inject({ method, url, headers, ...(payload && { payload }) });

const ownOf = ({ headers }: Learner): Headers => ({ ...headers });

/** A learner with an app, and what it and the recovery codes say. */
async function newGuarded(at = app) {
  const learner = await at.newLearner();
  const begun = await ask(beginSecondFactor, ownOf(learner), undefined, at);
  const { secret } = begun.json<{ secret: string }>();
  const code = () => appCode(secret, at.clock.now());
  const confirmed = await ask(confirmSecondFactor, ownOf(learner), { code: code() }, at);
  const { recoveryCodes } = confirmed.json<{ recoveryCodes: string[] }>();
  // The code that turned it on is used up.
  at.clock.advance(STEP_MS);
  return { learner, secret, code, recoveryCodes };
}

const logIn = ({ email }: Learner, at = app) => ask(login, {}, { email, password: PASSWORD }, at);

/** The first factor; the cookie that waits for the second one. */
const firstFactor = async (learner: Learner, at = app) =>
  cookieOf((await logIn(learner, at)).headers['set-cookie']);

const finish = (cookie: string, code: string, at = app) =>
  ask(finishLogin, { cookie }, { code }, at);

describe('turning it on', () => {
  it('needs a code of the app, and is off until then', async () => {
    const learner = await app.newLearner();
    const headers = ownOf(learner);
    const begun = (await ask(beginSecondFactor, headers)).json<{ secret: string; uri: string }>();
    expect(begun.uri).toContain(`secret=${begun.secret}&issuer=Mogakgong`);
    expect((await ask(getSecondFactor, headers)).json()).toEqual({
      isOn: false,
      recoveryCodesLeft: 0,
    });
    expect((await logIn(learner)).json()).toMatchObject({ token: expect.any(String) });

    const wrong = await ask(confirmSecondFactor, headers, { code: '000000' });
    expect(wrong.json()).toMatchObject({ error: 'wrongCode' });
    const code = appCode(begun.secret, app.clock.now());
    const { recoveryCodes } = (await ask(confirmSecondFactor, headers, { code })).json<{
      recoveryCodes: string[];
    }>();
    expect(new Set(recoveryCodes).size).toBe(10);
    for (const recoveryCode of recoveryCodes)
      expect(recoveryCode).toMatch(/^(?:[A-Z2-7]{4}-?){6}$/u);
    expect((await ask(getSecondFactor, headers)).json()).toEqual({
      isOn: true,
      recoveryCodesLeft: 10,
    });
    expect((await ask(beginSecondFactor, headers)).json()).toMatchObject({
      error: 'secondFactorExists',
    });
  });

  it('takes the code of the secret that was made last', async () => {
    const learner = await app.newLearner();
    const headers = ownOf(learner);
    expect((await ask(confirmSecondFactor, headers, { code: '000000' })).json()).toMatchObject({
      error: 'secondFactorMissing',
    });
    const [first, second] = [
      (await ask(beginSecondFactor, headers)).json<{ secret: string }>(),
      (await ask(beginSecondFactor, headers)).json<{ secret: string }>(),
    ];
    const confirm = ({ secret }: { secret: string }) =>
      ask(confirmSecondFactor, headers, { code: appCode(secret, app.clock.now()) });
    expect((await confirm(first)).json()).toMatchObject({ error: 'wrongCode' });
    const both = await Promise.all([confirm(second), confirm(second)]);
    expect(both.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  it('is not done by a log-in that a new password ends at that moment', async () => {
    const learner = await app.newLearner();
    const headers = ownOf(learner);
    const { secret } = (await ask(beginSecondFactor, headers)).json<{ secret: string }>();
    const code = appCode(secret, app.clock.now());
    const { confirming } = await app.database.transaction().execute(async (reset) => {
      await sql`update users set password_hash = 'another' where id = ${learner.userId}`.execute(
        reset,
      );
      const confirming = ask(confirmSecondFactor, headers, { code });
      await untilLocked(app.database, 1, 'for no key update');
      await sql`update login_session set ended_at = now() where user_id = ${learner.userId}`.execute(
        reset,
      );
      return { confirming };
    });
    expect((await confirming).json()).toMatchObject({ error: 'wrongCode' });
    const { rows } = await sql`
      select from second_factor
      where user_id = ${learner.userId} and confirmed_at is not null`.execute(app.database);
    expect(rows).toEqual([]);
  });

  it('stores neither the secret nor a recovery code, and logs none', async () => {
    const { learner, secret, recoveryCodes } = await newGuarded();
    const { rows } = await sql`select second_factor::text as row from second_factor
      where user_id = ${learner.userId}`.execute(app.database);
    const told = `${JSON.stringify(rows)}${app.logLines.join()}`;
    for (const text of [secret, ...recoveryCodes]) expect(told).not.toContain(text);
  });

  it('and changing it need a recent log-in', async () => {
    const { learner } = await newGuarded();
    app.clock.advance(14.5 * 60_000);
    const { headers } = await app.renew(learner);
    for (const route of [
      beginSecondFactor,
      confirmSecondFactor,
      renewRecoveryCodes,
      turnOffSecondFactor,
    ]) {
      const answer = await ask(route, { ...headers }, { code: '000000' });
      expect(answer.json()).toMatchObject({ error: 'loginNotRecent' });
    }
  });
});

describe('a log-in of an account that has it', () => {
  it('answers no token until a code was given, then the same as any log-in', async () => {
    const { learner, code } = await newGuarded();
    const first = await logIn(learner);
    expect(first.statusCode).toBe(200);
    expect(first.json()).toEqual({ needsSecondFactor: true });
    expect(String(first.headers['set-cookie'])).toMatch(
      /^mogakgong_first_factor=[^;]+; Max-Age=300; Path=\/api\/auth; HttpOnly; SameSite=Strict$/u,
    );
    const done = await finish(cookieOf(first.headers['set-cookie']), code());
    const { token } = done.json<{ token: string }>();
    const profile = await ask(getProfile, { authorization: `Bearer ${token}` });
    expect(profile.json()).toMatchObject({ userId: learner.userId });
    expect(done.cookies.map(({ name, value }) => [name, value !== ''])).toEqual([
      ['mogakgong_first_factor', false],
      ['mogakgong_refresh', true],
      ['mogakgong_browser', true],
    ]);
  });

  it('takes each code once, those of the clock’s neighbours too, and none before it', async () => {
    const { learner, secret } = await newGuarded();
    app.clock.advance(4 * STEP_MS);
    const codeAt = (steps: number) =>
      appCode(secret, new Date(app.clock.now().getTime() + steps * STEP_MS));
    const cookie = await firstFactor(learner);
    for (const [steps, status] of [
      [-2, 403],
      [2, 403],
      [-1, 200],
      [-1, 403],
      [1, 200],
      [0, 403],
      [1, 403],
    ] as const) {
      expect([steps, (await finish(cookie, codeAt(steps))).statusCode]).toEqual([steps, status]);
    }
    app.clock.advance(2 * STEP_MS);
    const code = codeAt(0);
    const both = await Promise.all([finish(cookie, code), finish(cookie, code)]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
  });

  it('takes a recovery code once, however it is typed', async () => {
    const { learner, recoveryCodes } = await newGuarded();
    const [first = '', second = ''] = recoveryCodes;
    const cookie = await firstFactor(learner);
    const typed = first.toLowerCase().replaceAll('-', ' ');
    const both = await Promise.all([finish(cookie, typed), finish(cookie, first)]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 403]);
    expect((await finish(cookie, second)).statusCode).toBe(200);
    expect((await ask(getSecondFactor, ownOf(learner))).json()).toMatchObject({
      recoveryCodesLeft: 8,
    });
    const other = await newGuarded();
    const stranger = await firstFactor(other.learner);
    expect((await finish(stranger, recoveryCodes[2] ?? '')).json()).toMatchObject({
      error: 'wrongCode',
    });
  });

  it('waits five minutes, in the browser that began it, and is good for nothing else', async () => {
    const { learner, code } = await newGuarded();
    const cookie = await firstFactor(learner);
    const [, sealed = ''] = cookie.split('=');
    const expired = { error: 'loginExpired' };
    expect((await finish('', code())).json()).toMatchObject(expired);
    expect((await finish(`mogakgong_first_factor=${learner.token}`, code())).json()).toMatchObject(
      expired,
    );
    const asToken = await ask(getProfile, { authorization: `Bearer ${sealed}` });
    expect(asToken.statusCode).toBe(401);
    const asRefresh = await app.inject({
      method: 'POST',
      url: '/api/auth/refresh',
      headers: { cookie: `mogakgong_refresh=${sealed}` },
    });
    expect(asRefresh.statusCode).toBe(401);
    const foreign = await ask(
      finishLogin,
      { cookie, origin: 'https://evil.example' },
      { code: code() },
    );
    expect(foreign.statusCode).toBe(403);
    app.clock.advance(SECOND_FACTOR_SECONDS * 1_000);
    expect((await finish(cookie, code())).json()).toMatchObject(expired);
  });

  it('ends with a change of the password in between', async () => {
    const { learner, code } = await newGuarded();
    const cookie = await firstFactor(learner);
    const changed = await app.inject({
      method: 'PATCH',
      url: '/api/user/profile/password',
      headers: learner.headers,
      payload: {
        currentPassword: PASSWORD,
        newPassword: 'Green-desk-7',
        confirmNewPassword: 'Green-desk-7',
      },
    });
    expect(changed.statusCode).toBe(200);
    expect((await finish(cookie, code())).json()).toMatchObject({ error: 'wrongCredentials' });
  });

  it('slows guessing, from one address and from many, and not the owner for long', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1', TRUST_PROXY: 'true' } });
    try {
      const { learner, code } = await newGuarded(limited);
      // One right password for all: right ones are counted too.
      const cookie = cookieOf((await logIn(learner, limited)).headers['set-cookie']);
      const guess = async (text: string, address: string) => {
        const answer = await limited.inject({
          method: 'POST',
          url: finishLogin.path,
          payload: { code: text },
          headers: { cookie, 'x-forwarded-for': address },
        });
        return answer.statusCode;
      };
      for (let count = 0; count < 10; count += 1) {
        expect(await guess('000000', '203.0.113.1')).toBe(403);
      }
      expect(await guess(code(), '203.0.113.1')).toBe(429);
      expect(await guess(code(), '198.51.100.1')).toBe(200);
      for (let count = 0; count < 20; count += 1) {
        expect(await guess('000000', `192.0.${count}.1`)).toBe(403);
      }
      limited.clock.advance(STEP_MS);
      expect(await guess(code(), '198.51.100.1')).toBe(429);
    } finally {
      await limited.close();
    }
  });
});

describe('afterwards', () => {
  it('a code confirms the learner, and the password no more', async () => {
    const { learner, code } = await newGuarded();
    const prove = (proof: object) => ask(reauthenticate, ownOf(learner), proof);
    const byPassword = await prove({ password: PASSWORD });
    expect(byPassword.json()).toMatchObject({ error: 'secondFactorNeeded' });
    expect((await prove({ code: '000000' })).json()).toMatchObject({ error: 'wrongCode' });
    expect((await prove({})).json()).toMatchObject({ error: 'invalidRequest' });
    expect((await prove({ code: code() })).json()).toEqual({ authenticated: true });
  });

  it('recovery codes are made anew, which ends the old ones', async () => {
    const { learner, recoveryCodes } = await newGuarded();
    const renewed = (await ask(renewRecoveryCodes, ownOf(learner))).json<{
      recoveryCodes: string[];
    }>();
    const cookie = await firstFactor(learner);
    expect((await finish(cookie, recoveryCodes[0] ?? '')).statusCode).toBe(403);
    expect((await finish(cookie, renewed.recoveryCodes[0] ?? '')).statusCode).toBe(200);
  });

  it('it is turned off, and log-ins ask for nothing more', async () => {
    const { learner } = await newGuarded();
    const off = await ask(turnOffSecondFactor, ownOf(learner));
    expect(off.json()).toEqual({ isOn: false, recoveryCodesLeft: 0 });
    expect((await logIn(learner)).json()).toEqual({ token: expect.any(String) });
    expect((await ask(renewRecoveryCodes, ownOf(learner))).json()).toMatchObject({
      error: 'secondFactorMissing',
    });
    const { rows } = await sql`select from second_factor where user_id = ${learner.userId}`.execute(
      app.database,
    );
    expect(rows).toEqual([]);
  });
});
