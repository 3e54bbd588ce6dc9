import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import {
  beginSecondFactor,
  changePassword,
  confirmSecondFactor,
  finishPasswordReset,
  getProfile,
  linkMails,
  login,
  PASSWORD_RESET_SECONDS,
  requestPasswordReset,
} from '@mogakgong/contract';
import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { appCode } from '../../../test/authenticator-app.ts';
import { untilLocked } from '../../../test/lock-waits.ts';
import { readMails } from '../../../test/outbox.ts';
import { cookieOf, createTestApp, type Learner, PASSWORD } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app } = await openTestSite();

const NEW_PASSWORD = 'Green-desk-7';

const logIn = (email: string, password: string) =>
  app.inject({ method: login.method, url: login.path, payload: { email, password } });

const statusOf = async (token: string) =>
  (await app.inject({ url: getProfile.path, headers: { authorization: `Bearer ${token}` } }))
    .statusCode;

const change = (
  { headers }: Learner,
  newPassword: string,
  { currentPassword = PASSWORD, confirmNewPassword = newPassword } = {},
) =>
  app.inject({
    method: changePassword.method,
    url: changePassword.path,
    payload: { currentPassword, newPassword, confirmNewPassword },
    headers,
  });

const PAUSE_KEY = 4_711;

/** Does something between the check of a log-in's password and the commit of the log-in. */
async function whileLogInIsStored(
  { email }: Learner,
  act: () => Promise<LightMyRequestResponse>,
): Promise<{ login: LightMyRequestResponse; answer: LightMyRequestResponse }> {
  await sql`
    create function pause() returns trigger language plpgsql as
    'begin perform pg_advisory_xact_lock(${sql.lit(PAUSE_KEY)}); return new; end'`.execute(
    app.database,
  );
  await sql`create trigger pause before insert on login_session
            for each row execute function pause()`.execute(app.database);
  try {
    const { loggingIn, acting } = await app.database.transaction().execute(async (holder) => {
      await sql`select pg_advisory_xact_lock(${sql.lit(PAUSE_KEY)})`.execute(holder);
      const loggingIn = logIn(email, PASSWORD);
      await untilLocked(app.database, 1, 'insert into login_session');
      const acting = act();
      const waiting = untilLocked(app.database, 1, 'for no key update').catch(() => undefined);
      await Promise.race([acting, waiting]);
      return { loggingIn, acting };
    });
    return { login: await loggingIn, answer: await acting };
  } finally {
    await sql`drop trigger pause on login_session`.execute(app.database);
    await sql`drop function pause`.execute(app.database);
  }
}

describe('a change of password', () => {
  it('replaces the old one and ends the other log-ins, their seat included', async () => {
    const learner = await app.newLearner();
    const other = (await logIn(learner.email, PASSWORD)).json<{ token: string }>().token;
    const headers = { authorization: `Bearer ${other}` };
    await app.seat({ ...learner, token: other, headers });

    const answer = await change(learner, NEW_PASSWORD);
    expect(answer.json()).toEqual({ changed: true });
    expect(await statusOf(other)).toBe(401);
    expect(await statusOf(learner.token)).toBe(200);
    const { rows } = await sql`select from seat where user_id = ${learner.userId}`.execute(
      app.database,
    );
    expect(rows).toEqual([]);
    expect((await logIn(learner.email, PASSWORD)).statusCode).toBe(401);
    expect((await logIn(learner.email, NEW_PASSWORD)).statusCode).toBe(200);
  });

  it.each([
    ['wrongPassword', NEW_PASSWORD, { currentPassword: 'Wrong-lamp-42' }],
    ['wrongPassword', NEW_PASSWORD, { currentPassword: '' }],
    ['newPasswordsDiffer', NEW_PASSWORD, { confirmNewPassword: `${NEW_PASSWORD}8` }],
    ['weakPassword', 'short-1', {}],
    ['commonPassword', 'Password1!', {}],
  ])('answers %s to %j, %j, and changes nothing', async (error, newPassword, rest) => {
    const learner = await app.newLearner();
    const other = (await logIn(learner.email, PASSWORD)).json<{ token: string }>().token;
    expect((await change(learner, newPassword, rest)).json()).toMatchObject({ error });
    expect(await statusOf(other)).toBe(200);
    expect((await logIn(learner.email, PASSWORD)).statusCode).toBe(200);
  });

  it('has nothing to change in an account without a password', async () => {
    const learner = await app.newLearner();
    await sql`update users set password_hash = null where id = ${learner.userId}`.execute(
      app.database,
    );
    expect((await change(learner, NEW_PASSWORD)).json()).toMatchObject({
      error: 'passwordMissing',
    });
  });

  it('ends a log-in with the old password that is being stored at that moment', async () => {
    const learner = await app.newLearner();
    const { login, answer } = await whileLogInIsStored(learner, () =>
      change(learner, NEW_PASSWORD),
    );
    expect(answer.statusCode).toBe(200);
    expect(await statusOf(login.json<{ token: string }>().token)).toBe(401);
  });

  it('refuses a log-in whose password it replaces after the check', async () => {
    const learner = await app.newLearner();
    const loggingIn = await app.database.transaction().execute(async (other) => {
      await sql`update users set password_hash = 'new' where id = ${learner.userId}`.execute(other);
      const answer = logIn(learner.email, PASSWORD);
      await untilLocked(app.database, 1, 'for share');
      return { answer };
    });
    expect((await loggingIn.answer).json()).toMatchObject({ error: 'wrongCredentials' });
  });

  it('leaves no password in the log', async () => {
    const learner = await app.newLearner();
    await change(learner, NEW_PASSWORD);
    expect(app.logLines.filter((line) => line.includes(NEW_PASSWORD))).toEqual([]);
  });
});

/** The mails with links in the outbox, in the order in which they were written. */
const readLinks = async () => (await readMails(app)).filter((mail) => mail.includes('#token='));

/** Waits for one more mail; the token of its link. */
async function tokenOfNextMail(ask: () => Promise<unknown>): Promise<string> {
  const before = (await readLinks()).length;
  await ask();
  return vi.waitFor(async () => {
    const mails = await readLinks();
    expect(mails).toHaveLength(before + 1);
    return /\/password-reset#token=([\w-]{43})\n/u.exec(mails.at(-1) ?? '')?.[1] ?? '';
  });
}

const request = (email: string, headers: Record<string, string> = {}) =>
  app.inject({
    method: requestPasswordReset.method,
    url: requestPasswordReset.path,
    payload: { email },
    headers,
  });

const finish = (token: string, newPassword = NEW_PASSWORD, confirmNewPassword = newPassword) =>
  app.inject({
    method: finishPasswordReset.method,
    url: finishPasswordReset.path,
    payload: { token, newPassword, confirmNewPassword },
  });

describe('a password reset', () => {
  it('sets a new password by the link of a mail, once, and ends every log-in', async () => {
    const learner = await app.newLearner();
    const token = await tokenOfNextMail(() => request(` ${learner.email.toUpperCase()} `));
    expect((await finish(token)).json()).toEqual({ changed: true });
    expect(await statusOf(learner.token)).toBe(401);
    expect((await logIn(learner.email, PASSWORD)).statusCode).toBe(401);
    expect((await logIn(learner.email, NEW_PASSWORD)).statusCode).toBe(200);
    const again = await finish(token, 'Other-chair-9');
    expect([again.statusCode, again.json()]).toMatchObject([400, { error: 'resetLinkEnded' }]);
    expect((await logIn(learner.email, NEW_PASSWORD)).statusCode).toBe(200);
  });

  it('says the same to an unknown address, before it looks for the account, and mails nobody', async () => {
    const learner = await app.newLearner();
    const before = (await readLinks()).length;
    const unknown = await request('nobody@example.org');
    let known: Awaited<ReturnType<typeof request>> | undefined;
    await tokenOfNextMail(async () => {
      known = await request(learner.email);
    });
    expect(known?.statusCode).toBe(200);
    expect(known?.json()).toEqual({ isMailed: false });
    expect(unknown.json()).toEqual(known?.json());
    expect(await readLinks()).toHaveLength(before + 1);
    expect((await request('no address')).json()).toMatchObject({ error: 'emailMalformed' });
  });

  it('ends a log-in with the old password that is being stored at that moment', async () => {
    const learner = await app.newLearner();
    const token = await tokenOfNextMail(() => request(learner.email));
    const { login, answer } = await whileLogInIsStored(learner, () => finish(token));
    expect(answer.statusCode).toBe(200);
    expect(await statusOf(login.json<{ token: string }>().token)).toBe(401);
  });

  it('of an account with a second factor needs a code, and the link waits for it', async () => {
    const learner = await app.newLearner();
    const send = (route: { method: 'POST'; path: string }, payload = {}) =>
      app.inject({ method: 'POST', url: route.path, headers: learner.headers, payload });
    const { secret } = (await send(beginSecondFactor)).json<{ secret: string }>();
    const code = () => appCode(secret, app.clock.now());
    await send(confirmSecondFactor, { code: code() });
    app.clock.advance(30_000);
    const token = await tokenOfNextMail(() => request(learner.email));
    const use = (more: object) =>
      app.inject({
        method: finishPasswordReset.method,
        url: finishPasswordReset.path,
        payload: { token, newPassword: NEW_PASSWORD, confirmNewPassword: NEW_PASSWORD, ...more },
      });
    expect((await use({})).json()).toMatchObject({ error: 'secondFactorNeeded' });
    expect((await use({ code: '000000' })).json()).toMatchObject({ error: 'wrongCode' });
    expect((await logIn(learner.email, PASSWORD)).statusCode).toBe(200);
    expect((await use({ code: code() })).json()).toEqual({ changed: true });
    expect((await logIn(learner.email, NEW_PASSWORD)).json()).toEqual({ needsSecondFactor: true });
  });

  it('is used by one of two visitors who open the link at the same time', async () => {
    const learner = await app.newLearner();
    const token = await tokenOfNextMail(() => request(learner.email));
    const answers = await Promise.all([finish(token), finish(token, 'Other-chair-9')]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
  });

  it('ends after thirty minutes, with another reset, and with a change of the password once it is proven', async () => {
    const learner = await app.newLearner();
    const late = await tokenOfNextMail(() => request(learner.email));
    app.clock.advance(PASSWORD_RESET_SECONDS * 1_000);
    expect((await finish(late)).json()).toMatchObject({ error: 'resetLinkEnded' });

    const first = await tokenOfNextMail(() => request(learner.email));
    const second = await tokenOfNextMail(() => request(learner.email));
    expect((await finish(second)).statusCode).toBe(200);
    expect((await finish(first)).json()).toMatchObject({ error: 'resetLinkEnded' });

    const kept = await tokenOfNextMail(() => request(learner.email));
    const { token } = (await logIn(learner.email, NEW_PASSWORD)).json<{ token: string }>();
    const again = { ...learner, headers: { authorization: `Bearer ${token}` } };
    const changed = await change(again, 'Other-chair-9', { currentPassword: NEW_PASSWORD });
    expect(changed.statusCode).toBe(200);
    expect((await finish(kept)).json()).toMatchObject({ error: 'resetLinkEnded' });

    await app.runJob('expired log-ins');
    const { rows } = await sql`select from password_reset`.execute(app.database);
    expect(rows).toHaveLength(0);
  });

  it.each([
    ['newPasswordsDiffer', NEW_PASSWORD, `${NEW_PASSWORD}8`],
    ['weakPassword', 'short-1', 'short-1'],
    ['commonPassword', 'Password1!', 'Password1!'],
  ])('answers %s to %j, and the link can still be used', async (error, ...passwords) => {
    const learner = await app.newLearner();
    const token = await tokenOfNextMail(() => request(learner.email));
    expect((await finish(token, ...passwords)).json()).toMatchObject({ error });
    expect(await statusOf(learner.token)).toBe(200);
    expect((await finish(token)).statusCode).toBe(200);
  });

  it.each(['', 'x', 'A'.repeat(43)])('refuses the invented token %j', async (token) => {
    expect((await finish(token)).json()).toMatchObject({ error: 'resetLinkEnded' });
  });

  it('is mailed in the language of the page, and stored without its secret', async () => {
    const learner = await app.newLearner();
    const token = await tokenOfNextMail(() =>
      request(learner.email, { 'accept-language': 'en', host: 'evil.example' }),
    );
    const mail = (await readLinks()).at(-1);
    expect(mail).toContain(`To: ${learner.email}\nSubject: [Mogakgong] Reset your password\n`);
    expect(mail).toContain(`\nhttp://localhost:3000/password-reset#token=${token}\n`);
    const { rows } = await sql<{ hash: string }>`
      select encode(token_hash, 'hex') as hash from password_reset
      where email = ${learner.email}`.execute(app.database);
    expect(rows).toEqual([{ hash: createHash('sha256').update(token).digest('hex') }]);
    await tokenOfNextMail(() => request(learner.email));
    expect((await readLinks()).at(-1)).toContain('Subject: [모각공] 비밀번호 재설정');
  });

  it('opens the account in its browser and in others, however many guesses were wrong before', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1' } });
    try {
      const { email } = await limited.newLearner();
      const send = (
        { method, path: url }: { method: 'POST'; path: string },
        payload: object,
        remoteAddress: string,
        cookie?: string,
      ) =>
        limited.inject({
          method,
          url,
          payload,
          remoteAddress,
          headers: cookie === undefined ? {} : { cookie },
        });
      const guesses = async (password: string, network: number) => {
        const statuses: number[] = [];
        for (let at = 0; at < 31; at += 1) {
          const { statusCode } = await send(login, { email, password }, `10.${at}.${network}.1`);
          statuses.push(statusCode);
        }
        return statuses;
      };
      const locked = [...Array<number>(30).fill(401), 429];
      expect(await guesses('Wrong-lamp-1', 1)).toEqual(locked);
      await send(requestPasswordReset, { email }, '198.51.100.8');
      const token = await vi.waitFor(async () => {
        const [, found] = /#token=([\w-]{43})\n/u.exec((await readMails(limited)).join('')) ?? [];
        expect(found).toBeDefined();
        return found;
      });
      const reset = { token, newPassword: NEW_PASSWORD, confirmNewPassword: NEW_PASSWORD };
      const finished = await send(finishPasswordReset, reset, '198.51.100.8');
      const cookie = cookieOf(finished.headers['set-cookie']);
      expect(cookie).toMatch(/^mogakgong_browser=/u);
      const right = { email, password: NEW_PASSWORD };
      expect((await send(login, right, '203.0.113.7')).statusCode).toBe(200);
      expect(await guesses('Wrong-lamp-1', 2)).toEqual(locked);
      expect((await send(login, right, '203.0.113.7')).statusCode).toBe(429);
      expect((await send(login, right, '198.51.100.8', cookie)).statusCode).toBe(200);
    } finally {
      await limited.close();
    }
  });

  it('does not hold the end of a process up while the mail server is silent', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const env = {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'study@example.org',
      PUBLIC_URL: 'https://study.example.org',
    };
    const site = await createTestApp({ env });
    const { email } = await site.newLearner();
    const connected = once(server, 'connection');
    const { method, path: url } = requestPasswordReset;
    expect((await site.inject({ method, url, payload: { email } })).statusCode).toBe(200);
    const [socket] = (await connected) as [Socket];
    const startMs = performance.now();
    await site.close();
    expect(performance.now() - startMs).toBeLessThan(5_000);
    socket.destroy();
    server.close();
  });

  it('is limited per client and per e-mail address, whether there is such an account or not', async () => {
    const limited = await createTestApp({
      env: { RATE_LIMIT_SCALE: '1', TRUST_PROXY: 'false' },
    });
    try {
      const ask = async (email: string, remoteAddress: string) =>
        (
          await limited.inject({
            method: requestPasswordReset.method,
            url: requestPasswordReset.path,
            payload: { email },
            remoteAddress,
          })
        ).statusCode;
      const learner = await limited.newLearner();
      for (const email of [learner.email, 'nobody@example.org']) {
        const statuses: number[] = [];
        for (let attempt = 0; attempt <= linkMails.max; attempt += 1) {
          statuses.push(await ask(email, `203.0.${email.length}.${attempt}`));
        }
        expect(statuses).toEqual([...Array<number>(linkMails.max).fill(200), 429]);
      }
      for (let attempt = 0; attempt < 5; attempt += 1) {
        expect(await ask(`other${attempt}@example.org`, '198.51.100.1')).toBe(200);
      }
      expect(await ask('other5@example.org', '198.51.100.1')).toBe(429);
      await vi.waitFor(() => expect(limited.logLines.join()).toContain('kept a mail'));
      expect(limited.logLines.join()).not.toContain('#token=');
    } finally {
      await limited.close();
    }
  });
});
