import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import {
  beginSecondFactor,
  cancelEmailChange,
  changeEmail,
  changePassword,
  confirmEmail,
  confirmSecondFactor,
  EMAIL_CHANGE_SECONDS,
  finishPasswordReset,
  getEmailChange,
  getProfile,
  linkMails,
  login,
  RECENT_LOGIN_SECONDS,
  type RouteDefinition,
  requestPasswordReset,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { appCode } from '../../../test/authenticator-app.ts';
import { type ReceivedMail, startMailServer, textOfMail } from '../../../test/mail-server.ts';
import { createTestApp, type Learner, PASSWORD, type TestApp } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const NEW_PASSWORD = 'Green-desk-7';
const SITE = 'https://study.example.org';

const mails: ReceivedMail[] = [];
const mailServer = await startMailServer(mails);
afterAll(() => new Promise<void>((resolve) => mailServer.close(() => resolve())));
const { port } = mailServer.server.address() as AddressInfo;
const { app } = await openTestSite({
  env: {
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    MAIL_FROM: 'study@example.org',
    PUBLIC_URL: SITE,
  },
});

const newAddress = () => `${randomBytes(6).toString('hex')}@example.org`;

const send = (
  route: RouteDefinition,
  payload: object | undefined,
  { by, on = app }: { by?: Learner; on?: TestApp } = {},
) =>
  on.inject({
    method: route.method,
    url: route.path,
    ...(payload && { payload }),
    ...(by && { headers: by.headers }),
  });

const change = (by: Learner, newEmail: string, on = app) =>
  send(changeEmail, { newEmail }, { by, on });
/** With a new log-in, as tests end the former ones. */
const confirm = async (by: Learner, token: string) =>
  send(confirmEmail, { token }, { by: await app.renew(by) });
const emailOf = async (by: Learner, on = app) =>
  (await send(getProfile, undefined, { by, on })).json<{ email: string }>().email;
const pendingOf = async (by: Learner) =>
  (await send(getEmailChange, undefined, { by })).json<{ pendingEmail: string | null }>()
    .pendingEmail;
const logInStatus = async (email: string, password = PASSWORD) =>
  (await send(login, { email, password })).statusCode;

/** The mails that an address has received, in order. */
const mailsTo = (address: string) =>
  mails.filter(({ recipients }) => recipients.includes(address)).map(textOfMail);

/** Waits for the mail number `count` with such a link to an address; the token of its link. */
const tokenOfMail = (address: string, page = 'email-change', count = 1) =>
  vi.waitFor(() => {
    const withLink = mailsTo(address).filter((mail) => mail.includes(`/${page}#token=`));
    const mail = withLink[count - 1];
    const token = mail && new RegExp(`^${SITE}/${page}#token=([\\w-]{43})$`, 'mu').exec(mail)?.[1];
    if (!token) throw new Error(`no mail to ${address} yet`);
    return token;
  });

/** Asks for a change of e-mail; the token that its mail brings. */
async function ask(by: Learner, newEmail: string): Promise<string> {
  expect((await change(by, newEmail)).statusCode).toBe(200);
  return tokenOfMail(newEmail);
}

describe('a second factor', () => {
  it('is for learners who have shown that the address is theirs, by a link of a mail to it', async () => {
    const learner = await app.newLearner();
    const begin = () => send(beginSecondFactor, undefined, { by: learner });
    expect((await begin()).json()).toMatchObject({ error: 'emailUnproven' });
    expect((await confirm(learner, await tokenOfMail(learner.email))).json()).toEqual({
      email: learner.email,
    });
    expect((await begin()).statusCode).toBe(200);
    expect(mailsTo(learner.email)).toHaveLength(1);
  });

  it('ends a change of e-mail that was asked for before', async () => {
    const learner = await app.newLearner();
    const begin = () => send(beginSecondFactor, undefined, { by: learner });
    await begin();
    await confirm(learner, await tokenOfMail(learner.email));
    const token = await ask(learner, newAddress());
    const { secret } = (await begin()).json<{ secret: string }>();
    const code = appCode(secret, app.clock.now());
    expect((await send(confirmSecondFactor, { code }, { by: learner })).json()).toHaveProperty(
      'recoveryCodes',
    );
    expect((await confirm(learner, token)).json()).toMatchObject({ error: 'emailLinkEnded' });
  });

  it('leaves the address to its owner, who may press the link and sets a new password', async () => {
    const [squatter, owner] = [await app.newLearner(), await app.newLearner()];
    const begin = () => send(beginSecondFactor, undefined, { by: squatter });
    for (let asked = 0; asked < linkMails.max; asked += 1) await begin();
    const token = await tokenOfMail(squatter.email, 'email-change', linkMails.max);
    expect((await send(confirmEmail, { token })).statusCode).toBe(401);
    expect((await confirm(owner, token)).json()).toMatchObject({ error: 'emailLinkEnded' });

    await send(requestPasswordReset, { email: squatter.email });
    const reset = await tokenOfMail(squatter.email, 'password-reset');
    const passwords = { newPassword: NEW_PASSWORD, confirmNewPassword: NEW_PASSWORD };
    expect((await send(finishPasswordReset, { token: reset, ...passwords })).statusCode).toBe(200);
    expect((await confirm(squatter, token)).json()).toMatchObject({ error: 'emailLinkEnded' });
  });
});

describe('a change of e-mail', () => {
  it('waits for the press behind the link, which works once, and writes to the former address', async () => {
    const learner = await app.newLearner();
    const newEmail = newAddress();
    const answer = await change(learner, ` ${newEmail} `);
    expect(answer.json()).toEqual({ email: learner.email, pendingEmail: newEmail });
    const token = await tokenOfMail(newEmail);
    expect(await emailOf(learner)).toBe(learner.email);
    expect(await pendingOf(learner)).toBe(newEmail);
    expect(await logInStatus(newEmail)).toBe(401);

    expect((await confirm(learner, token)).json()).toEqual({ email: newEmail });
    expect(await emailOf(learner)).toBe(newEmail);
    expect(await pendingOf(learner)).toBeNull();
    expect(await logInStatus(newEmail)).toBe(200);
    expect(await logInStatus(learner.email)).toBe(401);
    await vi.waitFor(() => expect(mailsTo(learner.email)).toHaveLength(1));
    expect(mailsTo(learner.email)[0]).not.toContain(newEmail);

    const again = await confirm(learner, token);
    expect([again.statusCode, again.json()]).toMatchObject([400, { error: 'emailLinkEnded' }]);
  });

  it('needs a recent log-in', async () => {
    const learner = await app.newLearner();
    app.clock.advance(RECENT_LOGIN_SECONDS * 1_000 + 1);
    const answer = await change(await app.renew(learner), newAddress());
    expect([answer.statusCode, answer.json()]).toMatchObject([403, { error: 'loginNotRecent' }]);
  });

  it('is stored without the secret of its link', async () => {
    const learner = await app.newLearner();
    const newEmail = newAddress();
    const token = await ask(learner, newEmail);
    const { rows } = await sql`
      select new_email, encode(token_hash, 'hex') as hash from email_change
      where user_id = ${learner.userId}`.execute(app.database);
    const hash = createHash('sha256').update(token).digest('hex');
    expect(rows).toEqual([{ new_email: newEmail, hash }]);
    expect(app.logLines.filter((line) => line.includes(token))).toEqual([]);
  });

  it.each([
    ['emailMissing', '  '],
    ['emailMalformed', 'no address'],
    ['invalidRequest', 'kim@example.org\u0000x'],
    ['invalidRequest', 'x'.repeat(255)],
  ])('answers %s to %j', async (error, newEmail) => {
    const learner = await app.newLearner();
    expect((await change(learner, newEmail)).json()).toMatchObject({ error });
    expect(await pendingOf(learner)).toBeNull();
  });

  it('refuses an address that is taken, whatever the case, and mails nobody', async () => {
    const [learner, owner] = [await app.newLearner(), await app.newLearner()];
    const answer = await change(learner, owner.email.toUpperCase());
    expect([answer.statusCode, answer.json()]).toMatchObject([409, { error: 'emailTaken' }]);
    expect(await pendingOf(learner)).toBeNull();
    expect(mailsTo(owner.email)).toEqual([]);
  });

  it('goes to one of several learners who confirm the same address at the same moment; the others keep theirs', async () => {
    const rivals = await Promise.all([1, 2, 3].map(() => app.newLearner()));
    const newEmail = newAddress();
    const tokens: string[] = [];
    for (const [index, rival] of rivals.entries()) {
      await change(rival, newEmail);
      tokens.push(await tokenOfMail(newEmail, 'email-change', index + 1));
    }
    const answers = await Promise.all(
      rivals.map((rival, index) => confirm(rival, tokens[index] ?? '')),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409]);
    for (const [index, rival] of rivals.entries()) {
      const isWinner = answers[index]?.statusCode === 200;
      expect(await emailOf(rival)).toBe(isWinner ? newEmail : rival.email);
    }
  });

  it('is used by one of two visitors who open the link at the same time', async () => {
    const learner = await app.newLearner();
    const token = await ask(learner, newAddress());
    const answers = await Promise.all([confirm(learner, token), confirm(learner, token)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400]);
  });

  it('ends with its time, with another one, when it is given up, and with a new password', async () => {
    const learner = await app.newLearner();
    const expectEnded = async (token: string, by = learner) =>
      expect((await confirm(by, token)).json()).toMatchObject({ error: 'emailLinkEnded' });
    const first = await ask(learner, newAddress());
    const second = await ask(learner, newAddress());
    await expectEnded(first);
    expect((await send(cancelEmailChange, undefined, { by: learner })).json()).toEqual({
      pendingEmail: null,
    });
    await expectEnded(second);

    const third = await ask(learner, newAddress());
    await change(learner, learner.email);
    await expectEnded(third);

    const fourth = await ask(learner, newAddress());
    const passwords = { newPassword: NEW_PASSWORD, confirmNewPassword: NEW_PASSWORD };
    await send(changePassword, { currentPassword: PASSWORD, ...passwords }, { by: learner });
    await expectEnded(fourth);

    const fifth = await ask(learner, newAddress());
    await send(requestPasswordReset, { email: learner.email });
    const reset = await tokenOfMail(learner.email, 'password-reset');
    await send(finishPasswordReset, { token: reset, ...passwords });
    await expectEnded(fifth);

    const other = await app.newLearner();
    const late = await ask(other, newAddress());
    app.clock.advance(EMAIL_CHANGE_SECONDS * 1_000);
    await expectEnded(late, other);
    expect(await pendingOf(await app.renew(other))).toBeNull();
    await app.runJob('expired log-ins');
    const { rows } = await sql`select from email_change`.execute(app.database);
    expect(rows).toEqual([]);
  });

  it('takes the account from the password resets that were mailed to the former address', async () => {
    const learner = await app.newLearner();
    const newEmail = newAddress();
    const token = await ask(learner, newEmail);
    await send(requestPasswordReset, { email: learner.email });
    const reset = await tokenOfMail(learner.email, 'password-reset');
    expect((await confirm(learner, token)).statusCode).toBe(200);
    const passwords = { newPassword: NEW_PASSWORD, confirmNewPassword: NEW_PASSWORD };
    const answer = await send(finishPasswordReset, { token: reset, ...passwords });
    expect(answer.json()).toMatchObject({ error: 'resetLinkEnded' });
    expect(await logInStatus(newEmail)).toBe(200);
  });

  it('in other letters alone leaves a new password to the reader of its mails', async () => {
    const learner = await app.newLearner();
    await send(requestPasswordReset, { email: learner.email });
    const reset = await tokenOfMail(learner.email, 'password-reset');
    const answer = await change(learner, learner.email.toUpperCase());
    expect(answer.json()).toEqual({ email: learner.email.toUpperCase(), pendingEmail: null });
    const passwords = { newPassword: NEW_PASSWORD, confirmNewPassword: NEW_PASSWORD };
    expect((await send(finishPasswordReset, { token: reset, ...passwords })).statusCode).toBe(200);
  });

  it('gives an account without an e-mail its first one', async () => {
    const learner = await app.newLearner();
    await sql`update users set email = null where id = ${learner.userId}`.execute(app.database);
    const newEmail = newAddress();
    expect((await confirm(learner, await ask(learner, newEmail))).json()).toEqual({
      email: newEmail,
    });
    expect(await emailOf(learner)).toBe(newEmail);
  });

  it('is limited per address that is mailed to, by all askers together', async () => {
    const { port } = mailServer.server.address() as AddressInfo;
    const env = {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'study@example.org',
      PUBLIC_URL: SITE,
      RATE_LIMIT_SCALE: '1',
    };
    const limited = await createTestApp({ env, besides: app });
    try {
      const [learner, other] = [await app.newLearner(), await app.newLearner()];
      const newEmail = newAddress();
      for (let asked = 0; asked < linkMails.max; asked += 1) {
        const by = asked % 2 === 0 ? learner : other;
        expect((await change(by, newEmail, limited)).statusCode).toBe(200);
      }
      expect((await change(learner, newEmail.toUpperCase(), limited)).statusCode).toBe(429);
    } finally {
      await limited.close();
    }
  });
});

it('an e-mail is known to be read by its learner only after the press behind its link', async () => {
  const provenOf = async (by: Learner) => {
    const { rows } = await sql<{ proven: string | null }>`
      select verified_email as proven from users where id = ${by.userId}`.execute(app.database);
    return rows[0]?.proven;
  };
  const learner = await app.newLearner();
  const newEmail = newAddress();
  await confirm(learner, await ask(learner, newEmail));
  expect(await provenOf(learner)).toBe(newEmail);
  await change(learner, newEmail.toUpperCase());
  expect(await provenOf(learner)).toBe(newEmail.toUpperCase());

  const outbox = await createTestApp({ besides: app });
  try {
    await change(learner, newAddress(), outbox);
    expect(await provenOf(learner)).toBeNull();
  } finally {
    await outbox.close();
  }
});

it.each(['', 'x', 'A'.repeat(43)])('the invented token %j changes nothing', async (token) => {
  const learner = await app.newLearner();
  expect((await confirm(learner, token)).json()).toMatchObject({ error: 'emailLinkEnded' });
});

it('without a mail server an e-mail changes at once, and the notice waits in the outbox', async () => {
  const outbox = await createTestApp();
  try {
    const [learner, owner] = [await outbox.newLearner(), await outbox.newLearner()];
    expect((await change(learner, owner.email, outbox)).json()).toMatchObject({
      error: 'emailTaken',
    });
    const newEmail = newAddress();
    const answers = await Promise.all([1, 2].map(() => change(learner, newEmail, outbox)));
    for (const answer of answers) {
      expect(answer.json()).toEqual({ email: newEmail, pendingEmail: null });
    }
    expect(await emailOf(learner, outbox)).toBe(newEmail);
    const notice = await vi.waitFor(async () => {
      const line = outbox.logLines.find((each) => each.includes('kept a mail'));
      return readFile((JSON.parse(line ?? '{}') as { file: string }).file, 'utf8');
    });
    expect(notice).toContain(`To: ${learner.email}\n`);
    expect(notice).not.toContain(newEmail);
  } finally {
    await outbox.close();
  }
});
