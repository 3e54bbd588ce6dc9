import {
  changePassword,
  endLoginSession,
  endOtherLoginSessions,
  getLoginSessions,
  getProfile,
  type LoginSession,
  login,
  refresh,
  type UserId,
} from '@mogakgong/contract';
import { decodeJwt } from 'jose';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { cookieOf, type Learner, PASSWORD } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { LOGIN_SESSIONS_MAX } from './session-end-queries.ts';

const { app, clients } = await openTestSite();

const CHROME_ON_WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

/** The same learner on one more device. */
async function logInAgain(learner: Learner, userAgent = CHROME_ON_WINDOWS): Promise<Learner> {
  const answer = await app.inject({
    method: login.method,
    url: login.path,
    payload: { email: learner.email, password: PASSWORD },
    headers: { 'user-agent': userAgent },
  });
  const { token } = answer.json<{ token: string }>();
  const cookie = cookieOf(answer.headers['set-cookie']);
  return { ...learner, token, cookie, headers: { authorization: `Bearer ${token}` } };
}

/** Stores further log-ins of a learner, used later than those before. */
async function storeLogIns({ userId }: Learner, count: number): Promise<void> {
  await sql`
    insert into login_session (id, user_id, user_agent, created_at, token_hash, expires_at, last_used_at)
    select gen_random_uuid(), ${userId}, 'x', now, 'x', now + interval '1 day', now + n * interval '1 ms'
    from generate_series(1, ${count}::integer) as n, (select ${app.clock.now()}::timestamptz as now)`.execute(
    app.database,
  );
}

const sessionIdOf = ({ token }: Learner) => String(decodeJwt(token).sid);

async function ask(
  { headers }: Learner,
  route: typeof getLoginSessions | typeof endLoginSession | typeof endOtherLoginSessions,
  sessionId = '',
): Promise<LoginSession[]> {
  const url = route.path.replace(':sessionId', sessionId);
  const answer = await app.inject({ method: route.method, url, headers });
  expect(answer.statusCode).toBe(200);
  return answer.json<{ sessions: LoginSession[] }>().sessions;
}

const statusOf = async ({ headers }: Learner) =>
  (await app.inject({ url: getProfile.path, headers })).statusCode;

const seatOf = async (userId: UserId) => {
  const { rows } = await sql`select from seat where user_id = ${userId}`.execute(app.database);
  return rows.length;
};

describe('the list of log-ins', () => {
  it('names each device and says which one asks and when each was used last', async () => {
    const first = await app.newLearner();
    app.clock.advance(60_000);
    const second = await logInAgain(first);
    const [own, other, ...rest] = await ask(second, getLoginSessions);
    expect(rest).toEqual([]);
    expect(own).toMatchObject({
      sessionId: sessionIdOf(second),
      browser: 'Chrome',
      system: 'Windows',
      isOwn: true,
      lastUsedAtMs: app.clock.now().getTime(),
    });
    expect(other).toMatchObject({ sessionId: sessionIdOf(first), isOwn: false });
    expect(other?.beganAtMs).toBe(app.clock.now().getTime() - 60_000);

    app.clock.advance(60_000);
    const { method, path: url } = refresh;
    await app.inject({ method, url, headers: { cookie: first.cookie } });
    const [, used] = await ask(second, getLoginSessions);
    expect(used?.lastUsedAtMs).toBe(app.clock.now().getTime());
    expect(used?.beganAtMs).toBe(other?.beganAtMs);
  });

  it('holds a hundred: one more ends the one that was not used for longest', async () => {
    const oldest = await app.newLearner();
    await storeLogIns(oldest, LOGIN_SESSIONS_MAX - 1);
    expect(await ask(oldest, getLoginSessions)).toHaveLength(LOGIN_SESSIONS_MAX);
    app.clock.advance(60_000);
    const newest = await logInAgain(oldest);
    expect(await statusOf(oldest)).toBe(401);
    const { method, path: url } = refresh;
    const again = await app.inject({ method, url, headers: { cookie: oldest.cookie } });
    expect(again.statusCode).toBe(401);
    const sessions = await ask(newest, getLoginSessions);
    expect(sessions).toHaveLength(LOGIN_SESSIONS_MAX);
    expect(sessions.map(({ sessionId }) => sessionId)).not.toContain(sessionIdOf(oldest));
  });

  it('shows nobody else’s, and none that has ended', async () => {
    await app.newLearner();
    const learner = await app.newLearner();
    const gone = await logInAgain(learner);
    await app.inject({ method: 'POST', url: '/api/auth/logout', headers: gone.headers });
    const sessions = await ask(learner, getLoginSessions);
    expect(sessions.map(({ sessionId }) => sessionId)).toEqual([sessionIdOf(learner)]);
  });

  it.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
      'Safari',
      'iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 16; SM-S931N) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36',
      'Samsung Internet',
      'Android',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Whale/4.34.0.0 Safari/537.36',
      'Whale',
      'Windows',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
      'Edge',
      'Mac',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox', 'Linux'],
    ['curl/8.9.1', null, null],
  ])('says of %s: %s on %s', async (userAgent, browser, system) => {
    const learner = await logInAgain(await app.newLearner(), userAgent);
    const [own] = await ask(learner, getLoginSessions);
    expect(own).toMatchObject({ browser, system });
  });
});

describe('ending a log-in', () => {
  it('takes its token, its cookie, its connection and its seat within five seconds', async () => {
    const learner = await app.newLearner();
    const other = await logInAgain(learner);
    const client = await clients.connectAs(app, other);
    await app.seat(other);
    expect(await seatOf(learner.userId)).toBe(1);

    const left = await ask(learner, endLoginSession, sessionIdOf(other));
    expect(left.map(({ sessionId }) => sessionId)).toEqual([sessionIdOf(learner)]);
    expect(await seatOf(learner.userId)).toBe(0);
    expect(await statusOf(other)).toBe(401);
    const { method, path: url } = refresh;
    const refreshed = await app.inject({ method, url, headers: { cookie: other.cookie } });
    expect(refreshed.json()).toMatchObject({ error: 'sessionEnded' });
    await vi.waitFor(() => expect(client.closeCode).toBeDefined(), { timeout: 5_000 });
    expect(client.lastError).toBe('sessionEnded');
    expect(await statusOf(learner)).toBe(200);
  });

  it.each([
    ['ending all others', (learner: Learner) => ask(learner, endOtherLoginSessions)],
    [
      'a change of password',
      ({ headers }: Learner) =>
        app.inject({
          method: changePassword.method,
          url: changePassword.path,
          payload: {
            currentPassword: PASSWORD,
            newPassword: 'Green-desk-7',
            confirmNewPassword: 'Green-desk-7',
          },
          headers,
        }),
    ],
  ])('%s takes the connections and the seat of the others within five seconds', async (_, end) => {
    const learner = await app.newLearner();
    const others = [await logInAgain(learner), await logInAgain(learner)];
    const connected = await Promise.all(others.map((other) => clients.connectAs(app, other)));
    const own = await clients.connectAs(app, learner);
    await app.seat(others[0] ?? learner);
    expect(await seatOf(learner.userId)).toBe(1);
    await end(learner);
    expect(await seatOf(learner.userId)).toBe(0);
    for (const client of connected) {
      await vi.waitFor(() => expect(client.closeCode).toBeDefined(), { timeout: 5_000 });
      expect(client.lastError).toBe('sessionEnded');
    }
    expect(own.closeCode).toBeUndefined();
  });

  it('does not end one of somebody else', async () => {
    const [learner, stranger] = [await app.newLearner(), await app.newLearner()];
    await ask(stranger, endLoginSession, sessionIdOf(learner));
    expect(await statusOf(learner)).toBe(200);
    expect(await ask(learner, getLoginSessions)).toHaveLength(1);
  });

  it('ends all but the one that asks, once, however often it is pressed', async () => {
    const learner = await app.newLearner();
    const others = [await logInAgain(learner), await logInAgain(learner)];
    const [first, second] = await Promise.all([
      ask(learner, endOtherLoginSessions),
      ask(learner, endOtherLoginSessions),
    ]);
    expect([first?.length, second?.length]).toEqual([1, 1]);
    expect(await Promise.all(others.map(statusOf))).toEqual([401, 401]);
    expect(await statusOf(learner)).toBe(200);
  });

  it('refuses what is no id of a log-in', async () => {
    const { headers } = await app.newLearner();
    const answer = await app.inject({ method: 'DELETE', url: '/api/user/sessions/1', headers });
    expect(answer.statusCode).toBe(400);
  });
});
