import {
  loginThrottle,
  MINUTE_MS,
  reauthenticate,
  refresh,
  unlinkSocialLogin,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
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
