import {
  destinations,
  getFriendsLeaderboard,
  HOUR_MS,
  LEADERBOARD_DAY_MAX_MS,
  type Leaderboard,
  type LeaderboardPerson,
  leaderboardMs,
  MINUTE_MS,
  type PresenceMessage,
  putLeaderboardSetting,
  type RoomId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { withLastingLogIn } from '../../../test/lasting-log-in.ts';
import { createTestApp, type Learner, type TestApp } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { goTo } from '../../../test/wall-clock.ts';

const { app, clients } = await openTestSite({ emptied: ['seat', 'study_room', 'block'] });
const newLearner = async () => withLastingLogIn(await app.newLearner());

const setShown = ({ headers }: Learner, isOn: boolean) =>
  app.inject({ method: 'PUT', url: putLeaderboardSetting.path, headers, payload: { isOn } });
const ask = ({ headers }: Learner, roomId: RoomId, process: TestApp = app) =>
  process.inject({ url: `/api/study-rooms/${roomId}/leaderboard`, headers });
const boardOf = async (learner: Learner, roomId: RoomId) =>
  (await ask(learner, roomId)).json<Leaderboard>();
const namesOn = async (learner: Learner, roomId: RoomId) =>
  (await boardOf(learner, roomId)).people.map(({ nickname }) => nickname).sort();

/** The people that a board shows to one of its members. */
async function shownAs(
  learner: Learner,
  viewer: Learner,
  roomId: RoomId,
): Promise<LeaderboardPerson> {
  const { people } = await boardOf(viewer, roomId);
  const person = people.find(({ userId }) => userId === learner.userId);
  if (!person) throw new Error('they are not on the board');
  return person;
}
const msOf = (person: LeaderboardPerson) => leaderboardMs(person, app.clock.now().getTime());

let roomId: RoomId;
let one: Learner;
let two: Learner;
/** Two learners in one room, both shown on boards; focus begins on entering. */
beforeEach(async () => {
  [one, two] = [await newLearner(), await newLearner()];
  roomId = await app.openRoom();
  for (const learner of [one, two]) {
    await app.seat(learner, roomId);
    await setShown(learner, true);
  }
});

describe('being shown on boards', () => {
  it('is off until chosen, and says so in the settings', async () => {
    const { headers } = await newLearner();
    const setting = async () =>
      (await app.inject({ url: putLeaderboardSetting.path, headers })).json();
    expect(await setting()).toEqual({ isOn: false });
    const answer = await app.inject({
      method: 'PUT',
      url: putLeaderboardSetting.path,
      headers,
      payload: { isOn: true },
    });
    expect([answer.statusCode, answer.json(), await setting()]).toEqual([
      200,
      { isOn: true },
      { isOn: true },
    ]);
  });

  it('is mutual: a learner who is not shown is on no board and sees none', async () => {
    const third = await newLearner();
    await app.seat(third, roomId);
    expect(await namesOn(one, roomId)).toEqual([one.nickname, two.nickname].sort());
    expect(await boardOf(third, roomId)).toEqual({
      isOn: false,
      people: [],
      ownTotalMs: null,
      serverNowMs: app.clock.now().getTime(),
    });
  });

  it('ends at once, and the room is told that something has changed', async () => {
    const received = await (await clients.connectAs(app, one)).subscribe(destinations.presence);
    await vi.waitFor(() => expect(received.length).toBeGreaterThan(0));
    await setShown(two, false);
    expect(await namesOn(one, roomId)).toEqual([one.nickname]);
    await vi.waitFor(() =>
      expect(received.map(({ body }) => body as PresenceMessage)).toContainEqual(
        expect.objectContaining({
          kind: 'change',
          change: expect.objectContaining({
            type: 'updated',
            member: expect.objectContaining({ userId: two.userId }),
          }),
        }),
      ),
    );
  });

  it('chosen twice, or ended twice, changes nothing and tells nobody', async () => {
    const numberOf = async () => {
      const { rows } = await sql<{ number: number }>`
        select roster_number as number from study_room where id = ${roomId}`.execute(app.database);
      return rows[0]?.number;
    };
    const before = await numberOf();
    expect((await setShown(one, true)).statusCode).toBe(200);
    expect(await numberOf()).toBe(before);
    await setShown(one, false);
    await setShown(one, false);
    expect(await numberOf()).toBe((before ?? 0) + 1);
  });
});

describe('the board of a room', () => {
  it('is for learners in the room', async () => {
    const stranger = await newLearner();
    await setShown(stranger, true);
    const refused = await ask(stranger, roomId);
    expect([refused.statusCode, refused.json().error]).toEqual([403, 'notSeated']);
    await app.seat(stranger, await app.openRoom());
    expect((await ask(stranger, roomId)).statusCode).toBe(403);
  });

  it('shows nobody after they have left', async () => {
    await app.leave(two);
    expect(await namesOn(one, roomId)).toEqual([one.nickname]);
    expect((await ask(two, roomId)).statusCode).toBe(403);
  });

  it('never shows two learners with a block to each other, and both to a third', async () => {
    const third = await newLearner();
    await app.seat(third, roomId);
    await setShown(third, true);
    await app.inject({ method: 'PUT', url: `/api/blocks/${two.userId}`, headers: one.headers });
    expect(await namesOn(one, roomId)).toEqual([one.nickname, third.nickname].sort());
    expect(await namesOn(two, roomId)).toEqual([two.nickname, third.nickname].sort());
    expect(await namesOn(third, roomId)).toHaveLength(3);
  });

  it('shows no account that is going to be deleted', async () => {
    await sql`update users set deletes_at = ${app.clock.now()} where id = ${two.userId}`.execute(
      app.database,
    );
    expect(await namesOn(one, roomId)).toEqual([one.nickname]);
  });

  it('shows twenty, with two queries', async () => {
    for (let count = 2; count < 20; count += 1) {
      const learner = await newLearner();
      await app.seat(learner, roomId);
      await setShown(learner, true);
    }
    // Another process: this one still queries details of the newcomers that it announces.
    const quiet = await createTestApp({ besides: app });
    try {
      quiet.queries.splice(0);
      const answer = await ask(one, roomId, quiet);
      expect(answer.json<Leaderboard>().people).toHaveLength(20);
      expect(quiet.queries).toHaveLength(2);
    } finally {
      await quiet.close();
    }
  });
});

describe('the board of friends', () => {
  const send = (
    learner: Learner,
    method: 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload?: object,
  ) => app.inject({ method, url, headers: learner.headers, ...(payload && { payload }) });
  async function befriend(asker: Learner, asked: Learner): Promise<void> {
    const { link } = (await send(asked, 'POST', '/api/friends/link')).json();
    await send(asker, 'POST', '/api/friends/requests', { link });
    await send(asked, 'PUT', `/api/friends/${asker.userId}`);
  }
  const friendsOn = async ({ headers }: Learner) => {
    const answer = await app.inject({ url: getFriendsLeaderboard.path, headers });
    return answer
      .json<Leaderboard>()
      .people.map(({ nickname }) => nickname)
      .sort();
  };

  it('shows friends who opted in, wherever they sit, and nobody else', async () => {
    const [friend, silent] = [await newLearner(), await newLearner()];
    await setShown(friend, true);
    await befriend(one, friend);
    await befriend(one, silent);
    expect(await friendsOn(one)).toEqual([one.nickname, friend.nickname].sort());
    expect(await friendsOn(friend)).toEqual([one.nickname, friend.nickname].sort());
    expect(await friendsOn(silent)).toEqual([]);
    expect(await friendsOn(two)).toEqual([two.nickname]);
    await setShown(friend, false);
    expect(await friendsOn(one)).toEqual([one.nickname]);
  });

  it('ends with the friendship, a block, and while an account is suspended', async () => {
    const names = [one.nickname, two.nickname].sort();
    await befriend(one, two);
    expect(await friendsOn(one)).toEqual(names);
    await sql`
      insert into sanction (user_id, kind, reason, imposed_at, ends_at, changed_at)
      values (${two.userId}, 'suspend', '-', now(), now() + interval '1 day', now())`.execute(
      app.database,
    );
    await app.runJob('sanctions');
    expect(await friendsOn(one)).toEqual([one.nickname]);
    await sql`delete from sanction where user_id = ${two.userId}`.execute(app.database);
    const third = await newLearner();
    await setShown(third, true);
    await befriend(one, third);
    expect(await friendsOn(third)).toContain(one.nickname);
    await send(third, 'DELETE', `/api/friends/${one.userId}`);
    expect(await friendsOn(one)).toEqual([one.nickname]);
    await befriend(one, third);
    await send(third, 'PUT', `/api/blocks/${one.userId}`);
    expect([await friendsOn(one), await friendsOn(third)]).toEqual([
      [one.nickname],
      [third.nickname],
    ]);
  });

  it('costs two queries', async () => {
    await befriend(one, two);
    const quiet = await createTestApp({ besides: app });
    try {
      quiet.queries.splice(0);
      await quiet.inject({ url: getFriendsLeaderboard.path, headers: one.headers });
      expect(quiet.queries).toHaveLength(2);
    } finally {
      await quiet.close();
    }
  });
});

describe('the figures of a board', () => {
  it("are today's focus, which runs on, stands in a break, and the level of all days", async () => {
    await sql`
      insert into study_record (user_id, focus_ms) values (${two.userId}, ${10 * HOUR_MS - MINUTE_MS})
      on conflict (user_id) do update set focus_ms = excluded.focus_ms`.execute(app.database);
    expect((await shownAs(two, one, roomId)).level).toBe('ember');
    const before = msOf(await shownAs(two, one, roomId));
    app.clock.advance(MINUTE_MS);
    const { level, ...figures } = await shownAs(two, one, roomId);
    const afterMs = leaderboardMs(figures, app.clock.now().getTime());
    expect([afterMs - before, level]).toEqual([MINUTE_MS, 'candle']);
    expect((await boardOf(two, roomId)).ownTotalMs).toBe(10 * HOUR_MS);
    await app.move(two, 'pause', roomId);
    app.clock.advance(MINUTE_MS);
    expect(msOf(await shownAs(two, one, roomId))).toBe(afterMs);
  });

  it('restart with the day of each learner shown', async () => {
    goTo(app.clock, 23, 59);
    await app.inject({
      method: 'PUT',
      url: '/api/user/settings/focus',
      headers: two.headers,
      payload: { timeZone: 'UTC', dayStartMinutes: 0, startsOnEntering: true },
    });
    await Promise.all([one, two].map((learner) => app.recordSeen(learner)));
    const [ofOne, ofTwo] = [await shownAs(one, one, roomId), await shownAs(two, one, roomId)];
    app.clock.advance(2 * MINUTE_MS);
    await Promise.all([one, two].map((learner) => app.recordSeen(learner)));
    // The browser counts the same without a request.
    expect([msOf(ofOne), msOf(await shownAs(one, one, roomId))]).toEqual([MINUTE_MS, MINUTE_MS]);
    expect(msOf(ofTwo)).toBe(msOf(await shownAs(two, one, roomId)));
    expect(msOf(ofTwo)).toBeGreaterThanOrEqual(2 * MINUTE_MS);
  });

  it('are sixteen hours a day at most', async () => {
    const day = sql`(${app.clock.now()}::timestamptz at time zone 'Asia/Seoul')::date`;
    await app.leave(two);
    await sql`
      insert into study_record (user_id, focus_ms, latest_day, latest_day_focus_ms)
      values (${two.userId}, ${20 * HOUR_MS}, ${day}, ${20 * HOUR_MS})
      on conflict (user_id) do update
      set latest_day = excluded.latest_day, latest_day_focus_ms = excluded.latest_day_focus_ms`.execute(
      app.database,
    );
    await app.seat(two, roomId);
    const { focusMs } = await shownAs(two, one, roomId);
    expect(focusMs).toBe(LEADERBOARD_DAY_MAX_MS);
    app.clock.advance(MINUTE_MS);
    expect(msOf(await shownAs(two, one, roomId))).toBe(LEADERBOARD_DAY_MAX_MS);
  });
});

it('is asked for at most sixty times a minute', async () => {
  const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1' }, besides: app });
  try {
    const statuses = [];
    for (let count = 0; count <= 60; count += 1) {
      statuses.push((await ask(one, roomId, limited)).statusCode);
    }
    expect([new Set(statuses.slice(0, 60)), statuses[60]]).toEqual([new Set([200]), 429]);
  } finally {
    await limited.close();
  }
});
