import {
  addPasskey,
  answerGuest,
  askAdmission,
  beginPasskey,
  beginPasskeyLogin,
  beginSecondFactor,
  changeProfileImage,
  claimCase,
  closeHostedRoom,
  confirmEmail,
  confirmSecondFactor,
  decideCase,
  enterRoom,
  equipTitle,
  finishLogin,
  finishPasswordReset,
  LATEST_MS,
  logInByPasskey,
  login,
  type RoomId,
  type RouteDefinition,
  reauthenticate,
  removePasskey,
  requestDeletion,
  turnOffSecondFactor,
  uploadImage,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, inject, it, vi } from 'vitest';
import { appCode } from '../test/authenticator-app.ts';
import { newRectangle, openBoard } from '../test/drawings.ts';
import { formOf } from '../test/form.ts';
import { newJpeg } from '../test/pictures.ts';
import { createPostgresProxy } from '../test/postgres-proxy.ts';
import { newModerator, report } from '../test/reported-cases.ts';
import { SoftwareAuthenticator } from '../test/software-authenticator.ts';
import { cookieOf, type Learner, PASSWORD } from '../test/test-app.ts';
import { openTestSite } from '../test/test-site.ts';
import { newMailedLink } from './features/auth/mailed-links.ts';

const POOL_SIZE = 3;
const OK = 200;
const UNAVAILABLE = 503;

const proxy = await createPostgresProxy(inject('postgres'));
afterAll(() => proxy.close());

let statements = 0;
/**
 * Number of the statement whose answer is lost, with all connections: it is carried out, unknown to the API.
 */
let lost = 0;
const { app, clients } = await openTestSite({
  databaseOptions: {
    connection: proxy.connection,
    poolSize: POOL_SIZE,
    onQuery() {
      statements += 1;
      if (statements === lost - 1) proxy.loseNextAnswer();
    },
  },
});

/** A connection that does not break. */
const observer = new pg.Client({ ...inject('postgres'), database: app.databaseName });
await observer.connect();
afterAll(() => observer.end());
const stored = async (text: string, ...values: readonly unknown[]) =>
  (await observer.query(text, [...values])).rows;

interface Prepared {
  /**
   * The client's calls, with its retries after a failure of ours.
   * @returns the last status.
   */
  run(): Promise<number>;
  /** The stored result, the same for every learner. */
  state(): Promise<unknown>;
  /** A job that completes it within seconds. */
  readonly job?: string;
  /** It uses up something that works once: a client that has lost the answer is refused. */
  readonly isOnce?: boolean;
}

interface Call {
  readonly method: RouteDefinition['method'];
  readonly path: string;
}

type Operations = Readonly<Record<string, () => Promise<Prepared>>>;

const ask = async (
  { method, path: url }: Call,
  headers: Readonly<Record<string, string>> = {},
  payload?: object,
) => app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) });

const status = async (answering: ReturnType<typeof ask>) => (await answering).statusCode;
const at = (route: RouteDefinition, names: Readonly<Record<string, string | number>>): Call => ({
  method: route.method,
  path: route.path.replaceAll(/:(\w+)/gu, (_, name: string) => String(names[name])),
});

async function beginWith(route: Call, headers?: Readonly<Record<string, string>>) {
  const answer = await ask(route, headers);
  const { options } = answer.json<{ options?: { challenge: string } }>();
  return { answer, options, cookie: cookieOf(answer.headers['set-cookie']) };
}

async function newGuarded() {
  const learner = await app.newLearner();
  const begun = await ask(beginSecondFactor, learner.headers);
  const { secret } = begun.json<{ secret: string }>();
  const code = () => appCode(secret, app.clock.now());
  const confirm = () => ask(confirmSecondFactor, learner.headers, { code: code() });
  return { learner, confirm, code };
}

async function withRecoveryCodes() {
  const { learner, confirm } = await newGuarded();
  const { recoveryCodes } = (await confirm()).json<{ recoveryCodes: [string] }>();
  return { learner, code: recoveryCodes[0] };
}

const factorOf = ({ userId }: Learner) =>
  stored(
    `select confirmed_at is not null as is_on, cardinality(recovery_hashes) as codes
     from second_factor where user_id = $1`,
    userId,
  );

/** Later log-ins than the first, each with its browser. */
const logInsOf = ({ userId }: Learner) =>
  stored(
    `select (select count(*)::int from login_session where user_id = $1 and ended_at is null) as open,
            (select count(*)::int from known_browser where user_id = $1) as browsers`,
    userId,
  );

async function addPasskeyTo(learner: Learner, authenticator: SoftwareAuthenticator) {
  const { answer, options, cookie } = await beginWith(beginPasskey, learner.headers);
  if (!options) return answer;
  const passkey = authenticator.create(options);
  return ask(addPasskey, { ...learner.headers, cookie }, { passkey, name: 'phone' });
}

const passwordOf = ({ userId }: Learner) =>
  stored(
    `select password_hash as password,
            exists (select from password_reset where password_reset.email = users.email) as has_link
     from users where id = $1`,
    userId,
  );

/** A learner in a room of twenty seats. */
async function seated(roomId: RoomId): Promise<Learner> {
  const learner = await app.newLearner();
  await app.seat(learner, roomId);
  return learner;
}

const signIns: Operations = {
  async 'a log-in by a recovery code'() {
    const { learner, code } = await withRecoveryCodes();
    const first = await ask(login, {}, { email: learner.email, password: PASSWORD });
    const cookie = cookieOf(first.headers['set-cookie']);
    return {
      isOnce: true,
      run: () => status(ask(finishLogin, { cookie }, { code })),
      state: async () => [await factorOf(learner), await logInsOf(learner)],
    };
  },

  async 'a proof of who is there by a recovery code'() {
    const { learner, code } = await withRecoveryCodes();
    app.clock.advance(1_000);
    return {
      isOnce: true,
      run: () => status(ask(reauthenticate, learner.headers, { code })),
      state: async () => [
        await factorOf(learner),
        await stored(
          'select authenticated_at > created_at as is_proven from login_session where user_id = $1',
          learner.userId,
        ),
      ],
    };
  },

  async 'a new password by a link and a recovery code'() {
    const { learner, code } = await withRecoveryCodes();
    const { link, tokenHash } = newMailedLink('http://localhost', '/password-reset');
    const [former] = await passwordOf(learner);
    await stored(
      "insert into password_reset values ($1, $2, now() + interval '1 hour')",
      tokenHash,
      learner.email,
    );
    const token = link.split('=')[1] ?? '';
    const passwords = { newPassword: 'Green-desk-7', confirmNewPassword: 'Green-desk-7' };
    return {
      isOnce: true,
      run: () => status(ask(finishPasswordReset, {}, { token, code, ...passwords })),
      state: async () => {
        const [{ password, ...rest }] = (await passwordOf(learner)) as [{ password: string }];
        const isNew = password !== (former as { password: string }).password;
        return [await factorOf(learner), (await logInsOf(learner))[0].open, isNew, rest];
      },
    };
  },

  async 'another e-mail by a link'() {
    const learner = await app.newLearner();
    const { link, tokenHash } = newMailedLink('http://localhost', '/email-change');
    await stored(
      "insert into email_change values ($1, $2, $3, now() + interval '1 hour')",
      ...[learner.userId, `new-${learner.email}`, tokenHash],
    );
    const token = link.split('=')[1] ?? '';
    return {
      isOnce: true,
      run: () => status(ask(confirmEmail, learner.headers, { token })),
      state: () =>
        stored(
          `select email like 'new-%' as is_new, verified_email like 'new-%' as is_proven,
                  exists (select from email_change where user_id = users.id) as has_link
           from users where id = $1`,
          learner.userId,
        ),
    };
  },

  async 'turning the second factor on'() {
    const { learner, confirm } = await newGuarded();
    return { isOnce: true, run: () => status(confirm()), state: () => factorOf(learner) };
  },

  async 'turning the second factor off'() {
    const { learner } = await withRecoveryCodes();
    return {
      run: () => status(ask(turnOffSecondFactor, learner.headers)),
      state: () => factorOf(learner),
    };
  },

  async 'adding a passkey'() {
    const learner = await app.newLearner();
    const authenticator = new SoftwareAuthenticator();
    const passkeys = () => stored('select name from passkey where user_id = $1', learner.userId);
    return {
      isOnce: true,
      run: () => status(addPasskeyTo(learner, authenticator)),
      state: passkeys,
    };
  },

  async 'removing a passkey'() {
    const learner = await app.newLearner();
    await addPasskeyTo(learner, new SoftwareAuthenticator());
    const [passkey] = await stored('select id from passkey where user_id = $1', learner.userId);
    const route = at(removePasskey, { passkeyId: passkey.id });
    return {
      run: () => status(ask(route, learner.headers)),
      state: () => stored('select name from passkey where user_id = $1', learner.userId),
    };
  },

  /** A log-in with a lost answer stays open without a browser that knows it: the retry adds one more. */
  async 'a log-in by a passkey'() {
    const learner = await app.newLearner();
    const authenticator = new SoftwareAuthenticator();
    await addPasskeyTo(learner, authenticator);
    return {
      async run() {
        app.clock.advance(1);
        const { answer, options, cookie } = await beginWith(beginPasskeyLogin);
        if (!options) return answer.statusCode;
        return status(ask(logInByPasskey, { cookie }, { passkey: authenticator.get(options) }));
      },
      state: () =>
        stored(
          `select count(*) > 1 as is_open from login_session
           where user_id = $1 and ended_at is null`,
          learner.userId,
        ),
    };
  },
};

const moderator = await newModerator(app);

const others: Operations = {
  async 'an edit of a board'() {
    const roomId = await app.openRoom();
    const learner = await seated(roomId);
    const drawer = await openBoard(learner, await clients.connectAs(app, learner), roomId);
    const element = newRectangle();
    return {
      // The client resends after a failure of ours.
      run: async () => ((await drawer.draw(element)) ? OK : UNAVAILABLE),
      state: () =>
        stored(
          `select count(*)::int as elements, coalesce(max(number), 0) as number
           from board_element where room_id = $1`,
          roomId,
        ),
    };
  },

  async 'wearing a title'() {
    const learner = await app.newLearner();
    await app.seat(learner, await app.openRoom());
    await stored(
      'insert into user_title (user_id, title_id, acquired_at, figure) values ($1, 1, now(), 1)',
      learner.userId,
    );
    const route = at(equipTitle, { userId: learner.userId });
    return {
      run: () => status(ask({ ...route, path: `${route.path}?titleId=1` }, learner.headers)),
      state: () => stored('select title_id from users where id = $1', learner.userId),
    };
  },

  async 'uploading and choosing a picture'() {
    const learner = await app.newLearner();
    await app.seat(learner, await app.openRoom());
    const { payload, headers } = await formOf([{ bytes: await newJpeg() }]);
    const { method, path: url } = uploadImage;
    return {
      async run() {
        const sent = { ...headers, ...learner.headers };
        const uploaded = await app.inject({ method, url, payload, headers: sent });
        if (uploaded.statusCode !== OK) return uploaded.statusCode;
        const { imageUrl: newProfileImage } = uploaded.json<{ imageUrl: string }>();
        return status(ask(changeProfileImage, learner.headers, { newProfileImage }));
      },
      // A job deletes an upload that was not chosen.
      state: () =>
        stored(
          "select profile_image like '/files/images/%' as is_own from users where id = $1",
          learner.userId,
        ),
    };
  },

  async 'entering a hosted room by admission'() {
    const host = await app.newLearner();
    const guest = await app.newLearner();
    const roomId = await app.openHostedRoom(host, { needsApproval: true });
    await app.seat(host, roomId);
    return {
      async run() {
        const names = { roomId, guestId: guest.userId };
        const asked = await status(ask(at(askAdmission, names), guest.headers, {}));
        if (asked >= 300) return asked;
        const answered = ask(at(answerGuest, names), host.headers, { isAdmitted: true });
        if ((await answered).statusCode >= 500) return UNAVAILABLE;
        const path = `${enterRoom.path}?userId=${guest.userId}&roomId=${roomId}`;
        return status(ask({ ...enterRoom, path }, guest.headers));
      },
      state: () =>
        stored(
          `select occupancy, (select count(*)::int from seat where room_id = $1) as seats,
                  (select count(*)::int from visit where room_id = $1) as visits
           from study_room where id = $1`,
          roomId,
        ),
    };
  },

  async 'the end of a room by its host'() {
    const host = await app.newLearner();
    const roomId = await app.openHostedRoom(host);
    await app.seat(host, roomId);
    await app.seat(await app.newLearner(), roomId);
    return {
      job: 'hosted rooms',
      run: () => status(ask(at(closeHostedRoom, { roomId }), host.headers)),
      state: () =>
        stored(
          `select (select count(*)::int from hosted_room where room_id = $1 and closed_at is null) as rooms,
                  (select count(*)::int from seat where room_id = $1) as seats,
                  (select count(*)::int from visit where room_id = $1 and ended_at is null) as visits`,
          roomId,
        ),
    };
  },

  async 'the decision of a moderator'() {
    const roomId = await app.openRoom();
    const [reporter, reported] = [await seated(roomId), await seated(roomId)];
    await report(app, { reporter, reported, roomId, reason: 'ABUSE' });
    const [{ id: caseId }] = await stored(
      'select id from report_case where reported_id = $1',
      reported.userId,
    );
    await ask(at(claimCase, { caseId }), moderator.headers);
    const decision = { decision: 'warn', reason: 'insults', readUntilMs: LATEST_MS };
    return {
      isOnce: true,
      run: () => status(ask(at(decideCase, { caseId }), moderator.headers, decision)),
      state: () =>
        stored(
          `select (select decision from report_case where id = $1) as decision,
                  (select count(*)::int from sanction where case_id = $1) as sanctions,
                  (select count(*)::int from audit_event
                   where case_id = $1 and action <> 'evidenceRead') as events`,
          caseId,
        ),
    };
  },

  async 'the plan to delete an account'() {
    const learner = await app.newLearner();
    await app.seat(learner, await app.openRoom());
    return {
      job: 'ended log-ins',
      isOnce: true,
      run: () => status(ask(requestDeletion, learner.headers, { delayDays: 7 })),
      state: () =>
        stored(
          `select deletes_at is not null as is_planned,
                  exists (select from seat where user_id = $1) as is_seated,
                  exists (select from login_session
                          where user_id = $1 and ended_at is null) as is_logged_in
           from users where id = $1`,
          learner.userId,
        ),
    };
  },
};

const operations: Operations = { ...signIns, ...others };

/** Stops breaking connections, and waits until no broken one is left. */
async function settle(): Promise<void> {
  lost = 0;
  proxy.restore();
  const reads = () => Array.from({ length: POOL_SIZE }, () => sql`select`.execute(app.database));
  await vi.waitFor(() => Promise.all(reads()), { interval: 1 });
}

/** The rule that a disturbed run broke; null for none. */
async function judge(
  { run, state, job, isOnce = false }: Prepared,
  { before, after }: { before: unknown; after: unknown },
): Promise<string | null> {
  const equals = (value: unknown, other: unknown) =>
    JSON.stringify(value) === JSON.stringify(other);
  const answer = await run();
  await settle();
  if (job) await app.runJob(job);
  const left = await state();
  const told = `answered ${answer}, left ${JSON.stringify(left)}`;
  if (answer >= 300 && answer !== UNAVAILABLE) return told;
  if (!equals(left, after) && (answer < 300 || !equals(left, before))) return told;
  const again = answer < 300 ? answer : await run();
  const end = await state();
  return equals(end, after) && (again < 300 || (isOnce && again < 500))
    ? null
    : `${told}, again ${again}, left ${JSON.stringify(end)}`;
}

it.each(Object.keys(operations))(
  '%s is done or not, and once when it is repeated, wherever the database is lost',
  async (name) => {
    const prepare = operations[name] as () => Promise<Prepared>;
    const undisturbed = await prepare();
    const before = await undisturbed.state();
    statements = 0;
    expect(await undisturbed.run()).toBeLessThan(300);
    const count = statements;
    const after = await undisturbed.state();
    expect(after).not.toEqual(before);
    const faults: string[] = [];
    for (let number = 1; number <= count; number += 1) {
      const prepared = await prepare();
      [statements, lost] = [0, number];
      if (number === 1) proxy.loseNextAnswer();
      const fault = await judge(prepared, { before, after });
      if (fault) faults.push(`statement ${number} of ${count}: ${fault}`);
    }
    expect(faults).toEqual([]);
  },
);
