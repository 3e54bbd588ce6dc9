import {
  beginSecondFactor,
  confirmSecondFactor,
  deletionDelaysDays,
  finishLogin,
  getOwnSanctions,
  getProfile,
  login,
  type RouteDefinition,
  refresh,
  requestDeletion,
  signup,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { afterEach, expect, it, vi } from 'vitest';
import { appCode } from '../test/authenticator-app.ts';
import {
  cookieOf,
  createTestApp,
  type Learner,
  PASSWORD,
  signupPayload,
  type TestApp,
} from '../test/test-app.ts';
import { createMediaServers } from './features/media/index.ts';
import { deriveKey } from './platform/sealed-values/index.ts';
import { seal } from './platform/sealed-values/sealing.ts';

const OLD = 'the old secret of a site that is long enough';
const NEW = 'the new secret of a site that is long enough';
const STEP_MS = 30_000;

/** The first process has the database, the others are beside it. */
const processes: TestApp[] = [];
afterEach(async () => {
  for (const app of processes.splice(0).reverse()) await app.close();
});

/** Starts a process of the site with these secrets. */
async function start(...secrets: readonly string[]): Promise<TestApp> {
  const [besides] = processes;
  const env = { AUTH_SECRET: secrets.join(), DEV_PAGES: 'false' };
  const app = await createTestApp({ env, ...(besides && { besides }) });
  processes.push(app);
  return app;
}

const ask = (
  app: TestApp,
  { method, path: url }: Pick<RouteDefinition, 'method' | 'path'>,
  headers: Readonly<Record<string, string>> = {},
  payload?: object,
) => app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) });

const profileStatus = async (app: TestApp, { headers }: Learner) =>
  (await ask(app, getProfile, headers)).statusCode;

/** A learner with an authenticator app, by which they log in. */
async function newGuarded(app: TestApp) {
  const learner = await app.newLearner();
  const begun = await ask(app, beginSecondFactor, learner.headers);
  const { secret } = begun.json<{ secret: string }>();
  const code = appCode(secret, app.clock.now());
  await ask(app, confirmSecondFactor, learner.headers, { code });
  return { learner, secret };
}

/** The status of a log-in with a code that was not used before, begun at one process and finished at another. */
async function logInByApp(
  { learner: { email }, secret }: { learner: Learner; secret: string },
  begunAt: TestApp,
  finishedAt = begunAt,
) {
  for (const app of processes) app.clock.advance(STEP_MS);
  const first = await ask(begunAt, login, {}, { email, password: PASSWORD });
  const cookie = cookieOf(first.headers['set-cookie']);
  const code = appCode(secret, finishedAt.clock.now());
  return (await ask(finishedAt, finishLogin, { cookie }, { code })).statusCode;
}

/** Does the work of the minutes after a rotation. */
async function settle(app: TestApp): Promise<void> {
  await sql`update site_key set created_at = created_at - interval '2 minutes'`.execute(
    app.database,
  );
  await app.runJob('seals of second factors');
  await app.runJob('seals of media servers');
}

const keysFor = async ({ database }: TestApp, purpose: string) =>
  (
    await sql<{ number: number }>`
      select number from site_key where purpose = ${purpose} order by number`.execute(database)
  ).rows.map(({ number }) => number);

it('processes with the secrets in another order accept each other’s tokens and log-ins', async () => {
  let older = await start(OLD);
  const guarded = await newGuarded(older);
  // A new secret first verifies, then signs, then the old one goes.
  for (const secrets of [[OLD, NEW], [NEW, OLD], [NEW]]) {
    const newer = await start(...secrets);
    for (const [here, there] of [
      [older, newer],
      [newer, older],
    ] as const) {
      const learner = await here.newLearner();
      expect(await profileStatus(there, learner)).toBe(200);
      expect((await ask(there, refresh, { cookie: learner.cookie })).statusCode).toBe(200);
      expect(await logInByApp(guarded, here, there)).toBe(200);
    }
    older = newer;
  }
});

it('without the old secret its access tokens end, a refresh goes on, and a stolen token is still one', async () => {
  const before = await start(OLD);
  const learner = await before.newLearner();
  const during = await start(NEW, OLD);
  const replaced = await before.newLearner();
  for (let use = 0, { cookie } = replaced; use < 3; use += 1) {
    cookie = cookieOf((await ask(during, refresh, { cookie })).headers['set-cookie']);
  }
  expect((await ask(during, refresh, { cookie: replaced.cookie })).statusCode).toBe(401);
  expect(during.logLines.join()).toContain('a replaced refresh token was used');

  const after = await start(NEW);
  expect(await profileStatus(after, learner)).toBe(401);
  expect((await ask(after, refresh, { cookie: learner.cookie })).statusCode).toBe(200);
});

it('authenticator apps work after a rotation, and without the old secret once the job has run', async () => {
  const before = await start(OLD);
  const guarded = await newGuarded(before);
  const sealed = async () =>
    (
      await sql<{ it: string }>`select sealed_secret::text as it from second_factor`.execute(
        before.database,
      )
    ).rows[0]?.it;
  const old = await sealed();
  const during = await start(NEW, OLD);
  expect(await keysFor(during, 'second factor')).toEqual([1, 2]);
  expect(await logInByApp(guarded, during)).toBe(200);
  const late = await newGuarded(during);

  await during.runJob('seals of second factors');
  expect(await keysFor(during, 'second factor')).toEqual([1, 2]);
  await settle(during);
  expect(await keysFor(during, 'second factor')).toEqual([2]);
  expect(await sealed()).not.toBe(old);
  const after = await start(NEW);
  for (const each of [guarded, late]) expect(await logInByApp(each, after)).toBe(200);
  expect(await logInByApp(await newGuarded(after), after)).toBe(200);
});

it('what the release before has stored is opened, before and after a rotation', async () => {
  const before = await start(OLD);
  const guarded = await newGuarded(before);
  const { userId } = guarded.learner;
  const plain = Buffer.from('12345678901234567890');
  const stored = seal(deriveKey(OLD, 'second factor'), plain, String(userId));
  await sql`update second_factor set sealed_secret = ${stored}`.execute(before.database);
  const same = { ...guarded, secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' };
  expect(await logInByApp(same, before)).toBe(200);
  await settle(await start(NEW, OLD));
  expect(await logInByApp(same, await start(NEW))).toBe(200);

  // The secret changes with the release.
  await sql`truncate site_key`.execute(before.database);
  await sql`update second_factor set sealed_secret = ${stored}`.execute(before.database);
  expect(await logInByApp(same, await start(NEW, OLD))).toBe(200);
});

it('a job that fails or is killed half-way costs nobody a log-in, and is completed by the next run', async () => {
  const before = await start(OLD);
  const unrenewed = await sql<{ key: string }>`
    select sealed_key::text as key from site_key where purpose = 'media servers'`.execute(
    before.database,
  );
  const [stuck, other] = [await newGuarded(before), await newGuarded(before)];
  const during = await start(NEW, OLD);
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`.execute(
    before.database,
  );
  await sql`
    create trigger refuse before update of sealed_secret on second_factor
    for each row when (new.user_id = ${sql.lit(stuck.learner.userId)}) execute function refuse()`.execute(
    before.database,
  );
  await expect(settle(during)).rejects.toThrow('no');
  expect(await keysFor(during, 'second factor')).toEqual([1, 2]);
  for (const each of [stuck, other]) expect(await logInByApp(each, during)).toBe(200);
  await sql`drop trigger refuse on second_factor`.execute(before.database);

  // As after a start that was killed between two keys.
  await sql`
    update site_key set sealed_key = ${unrenewed.rows[0]?.key}::bytea
    where purpose = 'media servers' and number = 1`.execute(before.database);
  await sql`delete from site_key where purpose = 'media servers' and number = 2`.execute(
    before.database,
  );
  const again = await start(NEW, OLD);
  expect(await keysFor(again, 'media servers')).toEqual([1, 2]);
  await settle(again);
  expect(await keysFor(again, 'second factor')).toEqual([2]);
  const after = await start(NEW);
  for (const each of [stuck, other]) expect(await logInByApp(each, after)).toBe(200);
});

it('a banned e-mail stays banned, and a media server known', async () => {
  const before = await start(OLD);
  const serversOf = ({ database, clock }: TestApp, secret: string) =>
    createMediaServers({
      ...{ database, clock, authSecrets: [secret] },
      logger: { error: vi.fn() } as never,
    });
  const server = { url: 'http://127.0.0.1:9/a', apiKey: 'key', apiSecret: 'a secret' };
  await serversOf(before, OLD).store({ ...server, isAdded: true });
  const { email } = await newBanned(before);

  await settle(await start(NEW, OLD));
  const after = await start(NEW);
  const servers = serversOf(after, NEW);
  await servers.refresh();
  expect(servers.all).toContainEqual(expect.objectContaining(server));
  await expectBanned(after, email);
  const late = await newBanned(after);
  await expectBanned(after, late.email);
});

/** The proven e-mail of a deleted account that was banned. */
async function newBanned(app: TestApp): Promise<Learner> {
  const learner = await app.newLearner();
  await sql`update users set verified_email = email where id = ${learner.userId}`.execute(
    app.database,
  );
  await sql`
    insert into sanction (user_id, kind, reason, imposed_at, changed_at)
    values (${learner.userId}, 'ban', 'insults', ${app.clock.now()}, ${app.clock.now()})`.execute(
    app.database,
  );
  await ask(app, requestDeletion, learner.headers, { delayDays: deletionDelaysDays[0] });
  app.clock.advance(60_000);
  await app.runJob('account deletions');
  return learner;
}

async function expectBanned(app: TestApp, email: string): Promise<void> {
  const payload = { ...signupPayload(), email };
  expect((await ask(app, signup, {}, payload)).statusCode).toBe(200);
  const { token } = (await ask(app, login, {}, payload)).json<{ token: string }>();
  const headers = { authorization: `Bearer ${token}` };
  const { sanctions } = (await ask(app, getOwnSanctions, headers)).json();
  expect(sanctions).toMatchObject([{ kind: 'ban' }]);
}

it('a process with a secret that sealed nothing says so, opens nothing, and spoils nothing', async () => {
  const before = await start(OLD);
  const guarded = await newGuarded(before);
  const stranger = await start(NEW);
  expect(stranger.logLines.join()).toContain('AUTH_SECRET lacks the secret that sealed a key');
  expect(await logInByApp(guarded, stranger)).toBe(403);
  expect(await logInByApp(guarded, await start(OLD))).toBe(200);
});
