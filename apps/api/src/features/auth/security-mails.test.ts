import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import {
  addPasskey,
  beginPasskey,
  beginSecondFactor,
  changePassword,
  confirmSecondFactor,
  getPasskeys,
  KNOWN_BROWSER_SECONDS,
  login,
  type Passkey,
  removePasskey,
  renewRecoveryCodes,
  turnOffSecondFactor,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { expect, it, vi } from 'vitest';
import { appCode } from '../../../test/authenticator-app.ts';
import { mailsTo, subjectsTo } from '../../../test/outbox.ts';
import { SoftwareAuthenticator } from '../../../test/software-authenticator.ts';
import { cookieOf, createTestApp, type Learner, PASSWORD } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app } = await openTestSite();

const CHROME = 'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537 Chrome/140.0 Safari/537';

const logIn = ({ email }: Learner, headers: Record<string, string> = {}, at = app) =>
  at.inject({
    method: login.method,
    url: login.path,
    payload: { email, password: PASSWORD },
    headers: { 'user-agent': CHROME, ...headers },
  });

const browserCookieOf = (answer: Awaited<ReturnType<typeof logIn>>) =>
  `mogakgong_browser=${answer.cookies.find(({ name }) => name === 'mogakgong_browser')?.value}`;

it('a log-in from a new browser is mailed in both languages; the first, and known browsers, are not', async () => {
  const learner = await app.newLearner();
  const other = await logIn(learner);
  const mail = await vi.waitFor(async () => {
    const [first] = await mailsTo(app, learner.email);
    if (first === undefined) throw new Error('there is no mail yet');
    return first;
  });
  expect(mail).toContain('[모각공] 새로운 기기에서 로그인했어요 / A log-in from a new device\n');
  expect(mail).toContain('\n기기: Linux, Chrome\n');
  expect(mail).toContain('\nDevice: Linux, Chrome\n');
  expect(mail).toContain('\nhttp://localhost:3000/settings/security\n');

  const again = await logIn(learner, { cookie: browserCookieOf(other) });
  expect(browserCookieOf(again)).toBe(browserCookieOf(other));
  const stranger = await app.newLearner();
  await logIn(stranger, { cookie: browserCookieOf(other) });
  await vi.waitFor(async () => expect(await mailsTo(app, stranger.email)).toHaveLength(1));
  expect(await mailsTo(app, learner.email)).toHaveLength(1);
});

it('the cookie of a browser is kept as a hash, and forgotten when it is not used', async () => {
  const learner = await app.newLearner();
  const [, token = ''] = browserCookieOf(await logIn(learner)).split('=');
  const rows = async () =>
    (
      await sql<{ hash: string }>`
        select encode(token_hash, 'hex') as hash from known_browser
        where user_id = ${learner.userId}`.execute(app.database)
    ).rows;
  expect(await rows()).toHaveLength(2);
  expect(JSON.stringify(await rows())).not.toContain(token);
  app.clock.advance(KNOWN_BROWSER_SECONDS * 1_000 + 1);
  await app.runJob('expired log-ins');
  expect(await rows()).toEqual([]);
});

it('each change of what logs in is mailed', async () => {
  const learner = await app.newLearner();
  const send = (
    { method, path: url }: { method: 'POST' | 'PATCH' | 'DELETE' | 'GET'; path: string },
    payload?: object,
    cookie = '',
  ) =>
    app.inject({
      method,
      url,
      headers: { ...learner.headers, cookie },
      ...(payload && { payload }),
    });
  const { secret } = (await send(beginSecondFactor)).json<{ secret: string }>();
  await send(confirmSecondFactor, { code: appCode(secret, app.clock.now()) });
  await send(renewRecoveryCodes);
  await send(turnOffSecondFactor);
  await send(turnOffSecondFactor);
  const begun = await send(beginPasskey);
  const passkey = new SoftwareAuthenticator().create(begun.json().options);
  await send(addPasskey, { passkey, name: 'phone' }, cookieOf(begun.headers['set-cookie']));
  const [own] = (await send(getPasskeys)).json<{ passkeys: Passkey[] }>().passkeys;
  await send({
    ...removePasskey,
    path: removePasskey.path.replace(':passkeyId', own?.passkeyId ?? ''),
  });
  const newPassword = 'Green-desk-7';
  const change = { currentPassword: PASSWORD, newPassword, confirmNewPassword: newPassword };
  expect((await send(changePassword, change)).statusCode).toBe(200);
  await vi.waitFor(async () =>
    expect((await subjectsTo(app, learner.email)).toSorted()).toEqual(
      [
        '2단계 인증을 켰어요',
        '복구 코드를 새로 만들었어요',
        '2단계 인증을 껐어요',
        '패스키를 추가했어요',
        '패스키를 지웠어요',
        '비밀번호가 바뀌었어요',
      ].toSorted(),
    ),
  );
});

it('a mail server that takes connections and says nothing slows no log-in', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const other = await createTestApp({
    besides: app,
    env: {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'study@example.org',
      PUBLIC_URL: 'http://localhost:3000',
    },
  });
  try {
    const learner = await app.newLearner();
    const startedMs = performance.now();
    expect((await logIn(learner, {}, other)).statusCode).toBe(200);
    // A caller that waits for the mail waits 20 s.
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    await vi.waitFor(() => expect(sockets).toHaveLength(1));
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
    await other.close();
  }
});
