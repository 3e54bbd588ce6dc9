import {
  beginSecondFactor,
  changeEmail,
  changePassword,
  confirmSecondFactor,
  loginThrottle,
  MINUTE_MS,
  reauthenticate,
  refresh,
  turnOffSecondFactor,
  unlinkSocialLogin,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { appCode } from '../../../test/authenticator-app.ts';
import { untilLocked } from '../../../test/lock-waits.ts';
import { createTestApp, type Learner, PASSWORD } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app } = await openTestSite();

/** A call of a route that needs a recent log-in. */
const change = ({ headers }: Pick<Learner, 'headers'>) =>
  app.inject({
    method: unlinkSocialLogin.method,
    url: unlinkSocialLogin.path.replace(':provider', 'kakao'),
    headers,
  });

const prove = ({ headers }: Pick<Learner, 'headers'>, password: string, to = app) =>
  to.inject({
    method: reauthenticate.method,
    url: reauthenticate.path,
    payload: { password },
    headers,
  });

/** The same log-in with a token of the present time. */
async function renew(learner: Learner): Promise<Pick<Learner, 'headers'>> {
  const answer = await app.inject({
    method: refresh.method,
    url: refresh.path,
    headers: { cookie: learner.cookie },
  });
  return { headers: { authorization: `Bearer ${answer.json<{ token: string }>().token}` } };
}

describe('a route that needs a recent log-in', () => {
  it('answers for 15 minutes after a log-in; its refresh makes that no longer', async () => {
    const learner = await app.newLearner();
    app.clock.advance(14 * MINUTE_MS);
    expect((await change(learner)).statusCode).toBe(200);
    app.clock.advance(2 * MINUTE_MS);
    const refused = await change(await renew(learner));
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ error: 'loginNotRecent', errorCode: 'A005' });
  });

  it('answers again once the password was given, for this log-in alone', async () => {
    const learner = await app.newLearner();
    app.clock.advance(16 * MINUTE_MS);
    const [own, other] = [await renew(learner), await app.renew(learner)];
    expect((await change(own)).statusCode).toBe(403);
    expect((await prove(own, PASSWORD)).json()).toEqual({ authenticated: true });
    expect((await change(own)).statusCode).toBe(200);
    expect((await change(other)).statusCode).toBe(403);
  });

  it('stays closed after a wrong password, and in an account without one', async () => {
    const learner = await app.newLearner();
    app.clock.advance(16 * MINUTE_MS);
    const own = await renew(learner);
    for (const password of ['', 'Wrong-lamp-42']) {
      expect((await prove(own, password)).json()).toMatchObject({ error: 'wrongPassword' });
    }
    await sql`update users set password_hash = null where id = ${learner.userId}`.execute(
      app.database,
    );
    expect((await prove(own, PASSWORD)).json()).toMatchObject({ error: 'passwordMissing' });
    expect((await change(own)).statusCode).toBe(403);
  });

  it('counts guesses with those of log-ins, beyond those that a known browser has', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1' } });
    try {
      const learner = await limited.newLearner();
      const { failures, failuresPerKnownBrowser } = loginThrottle;
      for (let count = 0; count < failures.max + failuresPerKnownBrowser.max; count += 1) {
        expect((await prove(learner, `Guess-${count}`, limited)).statusCode).toBe(403);
      }
      const payload = { email: learner.email, password: PASSWORD };
      const loggedIn = await limited.inject({ method: 'POST', url: '/api/auth/login', payload });
      expect(loggedIn.statusCode).toBe(429);
      expect((await prove(learner, PASSWORD, limited)).statusCode).toBe(429);
    } finally {
      await limited.close();
    }
  });
});

const send = app.ask;

/** Turns the second factor on. @returns the code of its app at any time. */
async function turnOn(by: Pick<Learner, 'headers'>): Promise<() => string> {
  const { secret } = (await send(beginSecondFactor, by)).json<{ secret: string }>();
  const code = () => appCode(secret, app.clock.now());
  expect((await send(confirmSecondFactor, by, { code: code() })).statusCode).toBe(200);
  return code;
}

const PASSWORDS = {
  currentPassword: PASSWORD,
  newPassword: 'Green-desk-7',
  confirmNewPassword: 'Green-desk-7',
};

/** The calls by which a stranger at an open browser would keep its owner out. */
const changes = (by: Pick<Learner, 'headers'>, newEmail: string) => [
  () => send(changeEmail, by, { newEmail }),
  () => send(changePassword, by, PASSWORDS),
  () => send(turnOffSecondFactor, by),
];

describe('where log-ins need a code', () => {
  it('an open browser and the password change nothing, until a code was given', async () => {
    const learner = await app.newLearner();
    const code = await turnOn(learner);
    app.clock.advance(16 * MINUTE_MS);
    const own = await renew(learner);
    const newEmail = `new-${learner.email}`;
    expect((await prove(own, PASSWORD)).json()).toMatchObject({ error: 'secondFactorNeeded' });
    for (const attempt of changes(own, newEmail)) {
      expect((await attempt()).json()).toMatchObject({ error: 'loginNotRecent' });
    }
    const proven = await send(reauthenticate, own, { code: code() });
    expect(proven.json()).toEqual({ authenticated: true });
    for (const attempt of changes(own, newEmail)) expect((await attempt()).statusCode).toBe(200);
  });

  it('a log-in of just before, elsewhere and by the password, changes nothing either', async () => {
    const learner = await app.newLearner();
    const other = await app.renew(learner);
    app.clock.advance(5 * MINUTE_MS);
    await turnOn(learner);
    for (const attempt of changes(other, `new-${learner.email}`)) {
      expect((await attempt()).json()).toMatchObject({ error: 'loginNotRecent' });
    }
    expect((await send(turnOffSecondFactor, learner)).statusCode).toBe(200);
  });

  it.each([
    [
      'confirms the learner',
      (learner: Learner) => prove(learner, PASSWORD),
      { error: 'secondFactorNeeded' },
    ],
    [
      'logs in',
      ({ email }: Learner) =>
        app.inject({
          method: 'POST',
          url: '/api/auth/login',
          payload: { email, password: PASSWORD },
        }),
      { needsSecondFactor: true },
    ],
  ])(
    'a password that %s while it is turned on is judged after it',
    async (_, usePassword, answer) => {
      const learner = await app.newLearner();
      expect((await send(beginSecondFactor, learner)).statusCode).toBe(200);
      const { using } = await app.database.transaction().execute(async (turningOn) => {
        await sql`select from users where id = ${learner.userId} for no key update`.execute(
          turningOn,
        );
        await sql`update second_factor set confirmed_at = now() where user_id = ${learner.userId}`.execute(
          turningOn,
        );
        const using = usePassword(learner);
        await untilLocked(app.database, 1, 'for share');
        return { using };
      });
      expect((await using).json()).toMatchObject(answer);
    },
  );
});
