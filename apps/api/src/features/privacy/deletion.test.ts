import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  blockUser,
  type ChatMessage,
  cancelDeletion,
  checkEmail,
  DAY_MS,
  destinations,
  type GroupId,
  getBlockedPeople,
  getPrivacyState,
  getProfile,
  login,
  MINUTE_MS,
  type Restriction,
  type RoomId,
  type RouteDefinition,
  refresh,
  requestDeletion,
  signup,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { type RouteName, routes } from '../../../test/contract-routes.ts';
import { everythingStored } from '../../../test/everything-stored.ts';
import { injection } from '../../../test/injection.ts';
import { untilLocked } from '../../../test/lock-waits.ts';
import { givePersonalHistory, type PersonalMarks } from '../../../test/personal-history.ts';
import { type Named, sampleRequest } from '../../../test/sample-requests.ts';
import type { TestClient } from '../../../test/stomp-client.ts';
import { type Learner, PASSWORD, signupPayload } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { personalTables } from './personal-data.ts';

const { app, clients } = await openTestSite({ emptied: ['seat', 'study_room', 'chat_message'] });

const send = app.ask;
const leave = (learner: Learner, delayDays: number) =>
  send(requestDeletion, learner, { delayDays });
const deleteDue = async () => {
  app.clock.advance(MINUTE_MS);
  await app.runJob('account deletions');
};

/** The learner after another log-in. */
async function logIn(learner: Learner): Promise<Learner> {
  const { method, path: url } = login;
  const payload = { email: learner.email, password: PASSWORD };
  const answer = await app.inject({ method, url, payload });
  const { token } = answer.json<{ token: string }>();
  return { ...learner, token, headers: { authorization: `Bearer ${token}` } };
}

/** The files of a folder, each with name and content. */
async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ name, parentPath }) =>
      [name, await readFile(path.join(parentPath, name), 'utf8')].join('\n'),
    ),
  );
}

const mailsTo = async ({ email }: Learner) =>
  (await filesOf(app.env.MAIL_OUTBOX_DIR)).filter((mail) => mail.includes(`To: ${email}\n`));

/** The chat as a newcomer sees it. */
async function newestPage(client: TestClient): Promise<string[]> {
  const id = randomUUID();
  const received = await client.subscribe(destinations.messages, { 'last-id': '', id });
  await vi.waitFor(() => expect(received).not.toEqual([]));
  client.unsubscribe(id);
  const messages: ChatMessage[] = received[0]?.body.messages ?? [];
  return messages.map(({ content }) => content);
}

interface History {
  readonly learner: Learner;
  readonly friend: Learner;
  readonly marks: PersonalMarks;
  readonly roomId: RoomId;
}

/** A learner with a row in every table, and a friend in their room. */
async function withHistory(): Promise<History> {
  const learner = await app.newLearner();
  const friend = await app.newLearner();
  const marks = await givePersonalHistory(app, learner, friend);
  const { rows } = await sql<{ roomId: RoomId }>`
    select room_id as "roomId" from seat where user_id = ${learner.userId}`.execute(app.database);
  await sql`delete from block where blocker_id = ${learner.userId}`.execute(app.database);
  return { learner, friend, marks, roomId: rows[0]?.roomId as RoomId };
}

describe('a deletion at once', () => {
  it('leaves nothing of the learner in the database, the files and the log', async () => {
    const { learner, friend, marks } = await withHistory();
    const before = JSON.stringify(await everythingStored(app.database));
    const secrets = [learner.email, learner.nickname, ...Object.values(marks)];
    for (const secret of secrets) expect(before).toContain(JSON.stringify(secret).slice(1, -1));
    const { rows } = await sql<{ picture: string }>`
      select profile_image as picture from users where id = ${learner.userId}`.execute(
      app.database,
    );
    const picture = path.basename(rows[0]?.picture ?? '');
    expect((await filesOf(app.env.IMAGES_DIR)).join()).toContain(picture);

    expect((await leave(learner, 0)).statusCode).toBe(200);
    await deleteDue();
    const left = JSON.stringify(await everythingStored(app.database));
    for (const secret of [...secrets, picture]) {
      expect(left).not.toContain(JSON.stringify(secret).slice(1, -1));
      expect(left).not.toContain(Buffer.from(secret).toString('hex'));
    }
    for (const [table, { owner, alsoAbout }] of Object.entries(personalTables)) {
      for (const column of [owner, alsoAbout].filter((name) => name !== undefined)) {
        const { rows: found } = await sql`
          select 1 from ${sql.table(table)} where ${sql.ref(column)} = ${learner.userId}`.execute(
          app.database,
        );
        expect(found, `${table}.${column}`).toEqual([]);
      }
    }
    expect(left).toContain(friend.nickname);
    expect((await filesOf(app.env.IMAGES_DIR)).join()).not.toContain(picture);
    expect((await mailsTo(learner)).join()).toContain('계정과 저장된 기록을 모두 삭제했어요');
    const log = app.logLines.join('\n');
    for (const secret of secrets) expect(log).not.toContain(JSON.stringify(secret).slice(1, -1));
  });

  it('ends the log-in, the seat and the connections, and the old tokens for ever', async () => {
    const learner = await app.newLearner();
    const roomId = await app.seat(learner);
    const client = await clients.connectAs(app, learner);
    const closed = vi.waitFor(() => expect(client.isConnected).toBe(false), { timeout: 5_000 });
    await leave(learner, 0);
    await closed;
    const { rows } = await sql<{ occupancy: number }>`
      select occupancy from study_room where id = ${roomId}`.execute(app.database);
    expect(rows).toEqual([{ occupancy: 0 }]);
    const isRefused = async () => {
      expect((await send(getProfile, learner)).statusCode).toBe(401);
      const { method, path: url } = refresh;
      const answer = await app.inject({ method, url, headers: { cookie: learner.cookie } });
      expect(answer.statusCode).toBe(401);
    };
    await isRefused();
    await deleteDue();
    await isRefused();
    // Another process, which was not told, reads it from the database.
    await app.runJob('ended log-ins');
    await isRefused();
  });

  it('frees e-mail and nickname for a new account, which gets nothing of the old one', async () => {
    const { learner } = await withHistory();
    await leave(learner, 0);
    await deleteDue();
    const payload = { ...signupPayload(), email: learner.email, nickname: learner.nickname };
    const created = await send(signup, { headers: { authorization: '' } }, payload);
    expect(created.statusCode).toBe(200);
    const { userId } = created.json<{ userId: number }>();
    expect(userId).not.toBe(learner.userId);
    const again = await logIn(learner);
    expect((await send(getProfile, again)).json()).toMatchObject({
      userId,
      introduction: '안녕하세요!',
      profileImage: 'default.jpg',
    });
    for (const [table, { owner, file }] of Object.entries(personalTables)) {
      if (['account', 'consents', 'log-ins', 'known-browsers'].includes(file)) continue;
      const { rows } = await sql`
        select 1 from ${sql.table(table)} where ${sql.ref(owner)} = ${userId}`.execute(
        app.database,
      );
      expect(rows, table).toEqual([]);
    }
  });

  it('goes on where a killed process has left it', async () => {
    const { learner, marks } = await withHistory();
    await sql`
      create function fail() returns trigger language plpgsql as
      'begin raise exception ''the process was killed''; end'`.execute(app.database);
    await sql`create trigger fail before delete on visit for each row execute function fail()`.execute(
      app.database,
    );
    await leave(learner, 0);
    await expect(deleteDue()).rejects.toThrow('killed');
    const half = await everythingStored(app.database);
    expect(JSON.stringify(half.chat_message)).not.toContain(
      JSON.stringify(marks.message).slice(1, -1),
    );
    expect(JSON.stringify(half)).toContain(learner.nickname);
    await sql`drop function fail cascade`.execute(app.database);
    await deleteDue();
    expect(JSON.stringify(await everythingStored(app.database))).not.toContain(learner.nickname);
  });

  it('goes on with other accounts where one fails again and again', async () => {
    const [{ learner: stuck }, other] = [await withHistory(), await app.newLearner()];
    await sql`
      create function fail() returns trigger language plpgsql as
      'begin raise exception ''a row that cannot be deleted''; end'`.execute(app.database);
    await sql`create trigger fail before delete on visit for each row execute function fail()`.execute(
      app.database,
    );
    await leave(other, 0);
    app.clock.advance(1);
    await leave(stuck, 0);
    await expect(deleteDue()).rejects.toThrow('cannot be deleted');
    const { rows } = await sql<{ id: number }>`select id from users`.execute(app.database);
    await sql`drop function fail cascade`.execute(app.database);
    await deleteDue();
    const ids = rows.map(({ id }) => id);
    expect(ids).toContain(stuck.userId);
    expect(ids).not.toContain(other.userId);
  });

  it('ends a log-in that is stored while the last rows go', async () => {
    const learner = await app.newLearner();
    await leave(learner, 0);
    app.clock.advance(MINUTE_MS);
    const hold = Promise.withResolvers<void>();
    const holding = app.database.transaction().execute(async (transaction) => {
      await sql`lock table title_occasion in share mode`.execute(transaction);
      await hold.promise;
    });
    const deleting = app.runJob('account deletions');
    await untilLocked(app.database, 1, 'title_occasion');
    await app.database.transaction().execute(async (transaction) => {
      await sql`select from users where id = ${learner.userId} for share`.execute(transaction);
      await sql`
        insert into login_session
          (id, user_id, user_agent, created_at, last_used_at, token_hash, expires_at)
        select '99999999-9999-4999-8999-999999999999', user_id, 'their browser', created_at,
               last_used_at, token_hash, expires_at
        from login_session where user_id = ${learner.userId}`.execute(transaction);
      hold.resolve();
      await holding;
      await untilLocked(app.database, 1, 'users');
    });
    await deleting;
    const { rows } = await sql`
      select user_id, user_agent, ended_at is null as "isOpen" from login_session
      where id = '99999999-9999-4999-8999-999999999999'`.execute(app.database);
    expect(rows).toEqual([{ user_id: null, user_agent: '', isOpen: false }]);
  });

  it('keeps the order of the messages of others', async () => {
    const [learner, friend] = [await app.newLearner(), await app.newLearner()];
    const roomId = await app.seat(learner);
    await app.seat(friend, roomId);
    const say = async (who: Learner, content: string) => {
      const client = await clients.connectAs(app, who);
      await client.send(destinations.sendChat, { senderId: who.userId, roomId, content });
    };
    await say(friend, 'first');
    await say(learner, 'words to be deleted');
    await say(friend, 'second');
    const reader = await clients.connectAs(app, friend);
    await leave(learner, 0);
    await deleteDue();
    await say(friend, 'third');
    expect(await newestPage(reader)).toEqual(['first', 'second', 'third']);
    expect(app.logLines.join()).not.toContain('words to be deleted');
  });
});

describe('a planned deletion', () => {
  it('is mailed, and leaves nothing to do but to cancel it', async () => {
    const { learner, friend, roomId } = await withHistory();
    const answer = await leave(learner, 7);
    const { deletesAtMs } = answer.json<{ deletesAtMs: number }>();
    expect(deletesAtMs).toBe(app.clock.now().getTime() + 7 * DAY_MS);
    await vi.waitFor(async () => expect((await mailsTo(learner)).join()).toContain('탈퇴 신청'));

    const back = await logIn(learner);
    expect((await send(getPrivacyState, back)).json()).toMatchObject({ deletesAtMs });
    const named: Named = {
      ...back,
      sessionId: back.userId.toString(),
      otherId: friend.userId,
      sanctionId: 1,
      roomId,
      groupId: 1 as GroupId,
    };
    for (const [name, route] of Object.entries(routes) as [RouteName, RouteDefinition][]) {
      if (route.access === 'open' || route.openTo?.includes('leaving' satisfies Restriction))
        continue;
      const request = await injection(name, await sampleRequest(name, named), back.headers);
      const refused = await app.inject(request);
      expect([name, refused.json()]).toMatchObject([name, { error: 'accountLeaving' }]);
    }
    expect((await clients.connectAs(app, back)).lastError).toBe('accountLeaving');

    expect((await send(cancelDeletion, back)).json()).toEqual({ cancelled: true });
    const restored = await logIn(learner);
    expect(await app.seat(restored)).toBeTruthy();
    app.clock.advance(8 * DAY_MS);
    await deleteDue();
    expect((await send(getProfile, await logIn(learner))).statusCode).toBe(200);
  });

  it('is mailed and hides the learner even when their seat cannot be given up', async () => {
    const { learner, friend, marks, roomId } = await withHistory();
    await sql`delete from block`.execute(app.database);
    await app.seat(friend, roomId);
    const reader = await clients.connectAs(app, friend);
    expect(await newestPage(reader)).toEqual([marks.message]);
    await sql`
      create function fail() returns trigger language plpgsql as
      'begin raise exception ''the database is tired''; end'`.execute(app.database);
    await sql`create trigger fail before delete on seat for each row execute function fail()`.execute(
      app.database,
    );
    await leave(learner, 7);
    await sql`drop function fail cascade`.execute(app.database);
    await vi.waitFor(async () => expect((await mailsTo(learner)).join()).toContain('탈퇴 신청'));
    expect(await newestPage(reader)).toEqual([]);
  });

  it('hides what the learner wrote, until it is cancelled', async () => {
    const { learner, friend, marks, roomId } = await withHistory();
    await sql`delete from block`.execute(app.database);
    await app.seat(friend, roomId);
    const reader = await clients.connectAs(app, friend);
    expect(await newestPage(reader)).toEqual([marks.message]);
    await leave(learner, 30);
    expect(await newestPage(reader)).toEqual([]);
  });

  it('hides name and picture from learners who block the account, until it is cancelled', async () => {
    const [learner, other] = [await app.newLearner(), await app.newLearner()];
    const url = blockUser.path.replace(':blockedId', String(learner.userId));
    for (const each of [learner, other]) await app.seat(each);
    await app.inject({ method: blockUser.method, url, headers: other.headers });
    await app.leave(other);
    const shown = async () => {
      const { people } = (await send(getBlockedPeople, other)).json<{ people: object[] }>();
      return people;
    };
    expect(await shown()).toMatchObject([{ nickname: learner.nickname }]);
    await leave(learner, 30);
    expect(await shown()).toEqual([]);
    await send(cancelDeletion, await logIn(learner));
    expect(await shown()).toMatchObject([{ nickname: learner.nickname }]);
  });

  it('is carried out when its time has come, and not before', async () => {
    const learner = await app.newLearner();
    await leave(learner, 30);
    app.clock.advance(29 * DAY_MS);
    await deleteDue();
    expect((await send(checkEmail, learner, { email: learner.email })).statusCode).toBe(409);
    app.clock.advance(DAY_MS);
    await deleteDue();
    expect((await send(checkEmail, learner, { email: learner.email })).statusCode).toBe(200);
  });

  it('cannot be cancelled once it has begun', async () => {
    const learner = await app.newLearner();
    await leave(learner, 0);
    const back = await logIn(learner);
    expect((await send(cancelDeletion, back)).json()).toMatchObject({ error: 'deletionBegun' });
    await deleteDue();
    expect((await send(cancelDeletion, back)).statusCode).toBe(401);
  });

  it('can be requested twice, and only after re-authentication', async () => {
    const learner = await app.newLearner();
    const both = await Promise.all([leave(learner, 7), leave(learner, 7)]);
    const [first, second] = both.map(({ statusCode }) => statusCode).toSorted();
    expect(first).toBe(200);
    expect([200, 401]).toContain(second);
    const other = await app.newLearner();
    app.clock.advance(16 * MINUTE_MS);
    const { method, path: url } = refresh;
    const renewed = await app.inject({ method, url, headers: { cookie: other.cookie } });
    const headers = { authorization: `Bearer ${renewed.json<{ token: string }>().token}` };
    expect((await leave({ ...other, headers }, 7)).json()).toMatchObject({
      error: 'loginNotRecent',
    });
    expect((await leave({ ...other, headers }, 3)).statusCode).toBe(400);
  });
});
