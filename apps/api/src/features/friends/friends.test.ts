import {
  askByFriendLink,
  destinations,
  FRIENDS,
  type Friends,
  type Notice,
  type RoomId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Received } from '../../../test/stomp-client.ts';
import { createTestApp, type Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { friendsOf as friendIdsOf } from './index.ts';

/** Another process of the same site. */
const { app, clients } = await openTestSite({
  emptied: ['friendship', 'friend_request', 'friend_link', 'block', 'seat', 'study_room'],
});
const { app: second } = await openTestSite({ besides: app });

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
const send = ({ headers }: Learner, method: Method, url: string, payload?: object, at = app) =>
  at.inject({ method, url, headers, ...(payload && { payload }) });

const friendsOf = async (learner: Learner): Promise<Friends> =>
  (await send(learner, 'GET', '/api/friends')).json();
const newLink = async (learner: Learner): Promise<string> =>
  (await send(learner, 'POST', '/api/friends/link')).json().link;
const askByLink = (asker: Learner, link: string, at = app) =>
  send(asker, 'POST', '/api/friends/requests', { link }, at);
const readLink = (reader: Learner, link: string) =>
  send(reader, 'POST', '/api/friends/link/owner', { link });
const accept = (learner: Learner, { userId }: Learner, at = app) =>
  send(learner, 'PUT', `/api/friends/${userId}`, undefined, at);
const remove = (learner: Learner, { userId }: Learner) =>
  send(learner, 'DELETE', `/api/friends/${userId}`);
const block = (learner: Learner, { userId }: Learner, at = app) =>
  send(learner, 'PUT', `/api/blocks/${userId}`, undefined, at);
const askNeighbour = (asker: Learner, roomId: RoomId, { userId }: Learner) =>
  send(asker, 'POST', `/api/study-rooms/${roomId}/friend-requests`, { toUserId: userId });

const two = async () => [await app.newLearner(), await app.newLearner()] as const;
const askedByLink = async () => {
  const [asker, asked] = await two();
  const link = await newLink(asked);
  expect((await askByLink(asker, link)).json()).toMatchObject({ standing: 'asked' });
  return { asker, asked, link };
};
const madeFriends = async () => {
  const { asker, asked, link } = await askedByLink();
  await accept(asked, asker);
  return { one: asker, other: asked, link };
};

const namesIn = (people: Friends['friends']) => people.map(({ nickname }) => nickname);
const cardOf = ({ userId, nickname }: Learner) => ({
  userId,
  nickname,
  profileImage: 'default.jpg',
});
const errorOf = (answer: Awaited<ReturnType<typeof send>>) => [
  answer.statusCode,
  answer.json().error,
];
const newsIn = (received: readonly Received[]) =>
  received
    .map(({ body }) => body as Notice)
    .flatMap((notice) => (notice.kind === 'friends' ? [notice.news] : []));

/** Learners without any data, for limits. */
const crowd = (size: number) => sql`
  select id from users where nickname like 'crowd%' order by id limit ${sql.lit(size)}`;
beforeAll(() =>
  sql`insert into users (email, nickname, password_hash, introduction, profile_image, social_provider)
      select 'crowd' || n, 'crowd' || n, '', '', '', 'LOCAL' from generate_series(1, ${FRIENDS.max}) as n
  `.execute(app.database),
);

describe('a friendship', () => {
  it('is made by asking and accepting, and each sees the other’s card and nothing else', async () => {
    const { asker, asked } = await askedByLink();
    expect(await friendsOf(asker)).toEqual({
      friends: [],
      received: [],
      sent: [cardOf(asked)],
      link: null,
      sharesState: false,
      states: [],
      invitations: [],
    });
    expect(await friendsOf(asked)).toMatchObject({ received: [cardOf(asker)], sent: [] });
    expect((await accept(asked, asker)).json()).toMatchObject({
      friends: [cardOf(asker)],
      received: [],
    });
    expect(await friendsOf(asker)).toMatchObject({ friends: [cardOf(asked)], sent: [] });
    // Again, from a second tab.
    expect((await accept(asked, asker)).statusCode).toBe(200);
    expect((await friendsOf(asked)).friends).toEqual([cardOf(asker)]);
  });

  it('is ended by either of the two', async () => {
    const { one, other } = await madeFriends();
    expect((await remove(one, other)).json().friends).toEqual([]);
    expect((await friendsOf(other)).friends).toEqual([]);
    expect((await remove(one, other)).statusCode).toBe(200);
    expect(errorOf(await accept(other, one))).toEqual([404, 'friendRequestEnded']);
  });

  it('is read in two queries', async () => {
    const { one } = await madeFriends();
    app.queries.splice(0);
    await friendsOf(one);
    expect(app.queries.filter((text) => /friend|users|block/u.test(text))).toHaveLength(2);
  });

  it('is made once where both ask at the same moment, at two processes', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, other] = await two();
      const [ofOne, ofOther] = [await newLink(one), await newLink(other)];
      const answers = await Promise.all([
        askByLink(one, ofOther, app),
        askByLink(other, ofOne, second),
        askByLink(one, ofOther, second),
      ]);
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
      for (const [learner, friend] of [
        [one, other],
        [other, one],
      ] as const) {
        expect(await friendsOf(learner)).toMatchObject({
          friends: [cardOf(friend)],
          received: [],
          sent: [],
        });
      }
    }
  });

  it(`ends at ${FRIENDS.max} friends, of whichever of the two`, async () => {
    const { asker, asked, link } = await askedByLink();
    const fill = ({ userId }: Learner) =>
      sql`insert into friendship select ${userId}::bigint, id, now() from (${crowd(FRIENDS.max)}) as crowd`.execute(
        app.database,
      );
    await fill(asker);
    expect(errorOf(await accept(asked, asker))).toEqual([409, 'tooManyFriends']);
    const third = await app.newLearner();
    await fill(asked);
    // Asking says nothing about how many friends somebody has.
    expect((await askByLink(third, link)).json()).toMatchObject({ standing: 'asked' });
    expect(errorOf(await accept(asked, third))).toEqual([409, 'tooManyFriends']);
  });

  it('is not made once more than the limit by two concurrent acceptances', async () => {
    const { asker: one, asked } = await askedByLink();
    const other = await app.newLearner();
    await askByLink(other, await newLink(asked));
    await sql`insert into friendship select ${asked.userId}::bigint, id, now()
              from (${crowd(FRIENDS.max - 1)}) as crowd`.execute(app.database);
    const answers = await Promise.all([accept(asked, one, app), accept(asked, other, second)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect((await friendsOf(asked)).friends).toHaveLength(FRIENDS.max);
  });
});

it('tells other features the friends of a learner, without leaving accounts', async () => {
  const { one, other, link } = await madeFriends();
  const third = await app.newLearner();
  await askByLink(third, link);
  await accept(other, third);
  const idsOf = async ({ userId }: Learner) =>
    (
      await sql<{ id: number }>`
        select id from users where id in ${friendIdsOf(userId)} order by id`.execute(app.database)
    ).rows.map(({ id }) => id);
  expect(await idsOf(other)).toEqual([one.userId, third.userId]);
  expect(await idsOf(one)).toEqual([other.userId]);
  await sql`update users set deletes_at = 'infinity' where id = ${third.userId}`.execute(
    app.database,
  );
  expect(await idsOf(other)).toEqual([one.userId]);
});

describe('a request', () => {
  it('comes to somebody in the same room', async () => {
    const [one, other] = await two();
    const roomId = await app.seat(one);
    expect(errorOf(await askNeighbour(one, roomId, other))).toEqual([403, 'neighbourNotThere']);
    expect(errorOf(await askNeighbour(other, roomId, one))).toEqual([403, 'notSeated']);
    expect(errorOf(await askNeighbour(one, roomId, one))).toEqual([400, 'cannotBefriendYourself']);
    await app.seat(other, roomId);
    const ask = async (asker: Learner, asked: Learner) =>
      (await askNeighbour(asker, roomId, asked)).json();
    expect(await ask(one, other)).toEqual({ standing: 'asked', isNew: true });
    expect(await ask(one, other)).toEqual({ standing: 'asked', isNew: false });
    expect(await ask(other, one)).toEqual({ standing: 'friends', isNew: true });
    expect(await ask(other, one)).toEqual({ standing: 'friends', isNew: false });
  });

  it.each([99_999_999, 'abc'])('to %s does not say whether an account exists', async (toUserId) => {
    const [one, other] = await two();
    const roomId = await app.seat(one);
    const ask = (id: unknown) =>
      send(one, 'POST', `/api/study-rooms/${roomId}/friend-requests`, { toUserId: id });
    const answer = await ask(toUserId);
    if (typeof toUserId === 'number') {
      expect(answer.json()).toEqual((await ask(other.userId)).json());
      for (const method of ['PUT', 'DELETE'] as const) {
        const [ofNobody, ofSomebody] = [
          await send(one, method, `/api/friends/${toUserId}`),
          await send(one, method, `/api/friends/${other.userId}`),
        ];
        expect([ofNobody.statusCode, ofNobody.json()]).toEqual([
          ofSomebody.statusCode,
          ofSomebody.json(),
        ]);
      }
    } else expect(errorOf(answer)).toEqual([400, 'invalidRequest']);
  });

  it('looks unchanged to the asking learner when it was declined, and does not come again', async () => {
    const { asker, asked, link } = await askedByLink();
    const before = await friendsOf(asker);
    expect((await remove(asked, asker)).json().received).toEqual([]);
    expect(await friendsOf(asker)).toEqual(before);
    expect((await askByLink(asker, link)).json()).toMatchObject({ standing: 'asked' });
    // Also not by taking it back and asking once more.
    expect((await remove(asker, asked)).json().sent).toEqual([]);
    expect((await askByLink(asker, link)).json()).toMatchObject({ standing: 'asked' });
    expect(await friendsOf(asker)).toEqual(before);
    expect((await friendsOf(asked)).received).toEqual([]);
    // After declining, a learner may still accept, or ask.
    expect((await askByLink(asked, await newLink(asker))).json()).toMatchObject({
      standing: 'friends',
    });
  });

  it('shows in the profile of the asked learner until it is answered', async () => {
    const { asker, asked } = await askedByLink();
    const isShown = async (learner: Learner) =>
      (await send(learner, 'GET', '/api/user/profile')).json().hasFriendRequest;
    expect([await isShown(asked), await isShown(asker)]).toEqual([true, false]);
    await remove(asked, asker);
    expect(await isShown(asked)).toBe(false);
  });

  it('is taken back by the asking learner, and may be made again', async () => {
    const { asker, asked, link } = await askedByLink();
    expect((await remove(asker, asked)).json().sent).toEqual([]);
    expect((await friendsOf(asked)).received).toEqual([]);
    expect(errorOf(await accept(asked, asker))).toEqual([404, 'friendRequestEnded']);
    expect((await askByLink(asker, link)).json()).toMatchObject({ standing: 'asked' });
    expect((await friendsOf(asked)).received).toEqual([cardOf(asker)]);
  });

  it('is not accepted once it was taken back, at two processes', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { asker, asked } = await askedByLink();
      await Promise.all([remove(asker, asked), accept(asked, asker, second)]);
      expect((await friendsOf(asker)).friends).toEqual([]);
      expect((await friendsOf(asked)).friends).toEqual([]);
    }
  });

  it(`lapses after ${FRIENDS.requestDays} days, also a declined one, and is then deleted`, async () => {
    const { asker, asked, link } = await askedByLink();
    const age = () =>
      sql`update friend_request set asked_at = asked_at - ${FRIENDS.requestDays} * interval '1 day'`.execute(
        app.database,
      );
    await remove(asked, asker);
    await age();
    expect((await friendsOf(asker)).sent).toEqual([]);
    await askByLink(asker, link);
    expect((await friendsOf(asked)).received).toEqual([cardOf(asker)]);
    await age();
    expect(errorOf(await accept(asked, asker))).toEqual([404, 'friendRequestEnded']);
    await app.runJob('lapsed friend requests');
    const { rows } = await sql`select from friend_request`.execute(app.database);
    expect(rows).toEqual([]);
  });

  it(`is one of ${FRIENDS.openRequestsMax} at most that wait`, async () => {
    const { asker, asked } = await askedByLink();
    const third = await app.newLearner();
    const link = await newLink(third);
    await sql`insert into friend_request (asker_id, asked_id, asked_at)
              select ${asker.userId}::bigint, id, now() - interval '1 day'
              from (${crowd(FRIENDS.openRequestsMax - 1)}) as crowd`.execute(app.database);
    expect(errorOf(await askByLink(asker, link))).toEqual([409, 'tooManyFriendRequests']);
    // Accepting needs none.
    await askByLink(third, await newLink(asker));
    expect((await askByLink(asker, link)).json()).toMatchObject({ standing: 'friends' });
    await remove(asker, asked);
    expect((await askByLink(asker, await newLink(await app.newLearner()))).statusCode).toBe(200);
  });

  it(`is one of ${askByFriendLink.limit.max} a day`, async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1' }, besides: app });
    try {
      const [asker, asked] = await two();
      const link = await newLink(asked);
      for (let count = 0; count < askByFriendLink.limit.max; count += 1) {
        expect((await askByLink(asker, link, limited)).statusCode).toBe(200);
      }
      expect((await askByLink(asker, link, limited)).statusCode).toBe(429);
    } finally {
      await limited.close();
    }
  });

  it('is refused to a muted learner', async () => {
    const [muted, asked] = await two();
    const link = await newLink(asked);
    await sql`insert into sanction (user_id, kind, reason, imposed_at, ends_at, changed_at)
              values (${muted.userId}, 'muteChat', 'rudeness', now(), now() + interval '1 day', now())
    `.execute(app.database);
    await app.runJob('sanctions');
    expect(errorOf(await askByLink(muted, link))).toEqual([403, 'chatMuted']);
  });
});

describe('a link', () => {
  it('shows its owner and the reader’s relation to them, until it is renewed', async () => {
    const [reader, owner] = await two();
    const link = await newLink(owner);
    expect((await friendsOf(owner)).link).toBe(link);
    const read = async () => (await readLink(reader, link)).json();
    expect(await read()).toEqual({ owner: cardOf(owner), standing: 'none' });
    await askByLink(reader, link);
    expect(await read()).toMatchObject({ standing: 'asked' });
    await accept(owner, reader);
    expect(await read()).toMatchObject({ standing: 'friends' });
    await remove(reader, owner);
    await askByLink(owner, await newLink(reader));
    expect(await read()).toMatchObject({ standing: 'asks' });

    expect(errorOf(await readLink(owner, link))).toEqual([400, 'cannotBefriendYourself']);
    expect(errorOf(await askByLink(owner, link))).toEqual([400, 'cannotBefriendYourself']);
    await newLink(owner);
    expect(errorOf(await readLink(reader, link))).toEqual([404, 'friendLinkEnded']);
    expect(errorOf(await askByLink(reader, link))).toEqual([404, 'friendLinkEnded']);
  });

  it('is in no log', async () => {
    const { link } = await askedByLink();
    expect(app.logLines.join('')).not.toContain(link);
  });
});

describe('a block', () => {
  it('ends a friendship and requests, either way, and does not say so', async () => {
    const { one, other, link } = await madeFriends();
    const ofOne = await newLink(one);
    const third = await app.newLearner();
    await askByLink(third, link);
    await block(other, one);
    expect(await friendsOf(one)).toMatchObject({ friends: [], sent: [] });
    expect((await friendsOf(other)).friends).toEqual([]);
    // Like a link that was renewed, to both.
    const renewed = await readLink(third, 'a-link-of-nobody-at-all');
    for (const answer of [
      await readLink(one, link),
      await askByLink(one, link),
      await readLink(other, ofOne),
      await askByLink(other, ofOne),
    ]) {
      expect(answer.json()).toEqual(renewed.json());
    }
    await block(third, other);
    expect((await friendsOf(other)).received).toEqual([]);
    expect((await friendsOf(third)).sent).toEqual([]);
    // Nothing of it is left when the block is lifted.
    await send(other, 'DELETE', `/api/blocks/${one.userId}`);
    await send(third, 'DELETE', `/api/blocks/${other.userId}`);
    for (const learner of [one, other, third]) {
      expect(await friendsOf(learner)).toMatchObject({ friends: [], received: [], sent: [] });
    }
  });

  it('answers in the room as if the other were not there', async () => {
    const [one, other] = await two();
    const roomId = await app.seat(one);
    await app.seat(other, roomId);
    const elsewhere = await askNeighbour(one, roomId, await app.newLearner());
    await block(other, one);
    expect((await askNeighbour(one, roomId, other)).json()).toEqual(elsewhere.json());
    expect((await askNeighbour(other, roomId, one)).json()).toEqual(elsewhere.json());
  });

  it('leaves no friendship that is accepted at the same moment, at two processes', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { asker, asked } = await askedByLink();
      await Promise.all([accept(asked, asker, second), block(asker, asked, app)]);
      const { rows } = await sql`select from friendship`.execute(app.database);
      expect(rows).toEqual([]);
    }
  });

  it('of a friend keeps their name in the list of blocks', async () => {
    const { one, other } = await madeFriends();
    await block(one, other);
    const { people } = (await send(one, 'GET', '/api/blocks/people')).json();
    expect(people).toEqual([cardOf(other)]);
  });
});

describe('an account that is going to be deleted', () => {
  it('is in no list, is not asked, and is back if it stays', async () => {
    const { one, other, link } = await madeFriends();
    const third = await app.newLearner();
    await askByLink(one, await newLink(third));
    const plan = (deletesAt: string | null) =>
      sql`update users set deletes_at = ${deletesAt} where id = any(${[other.userId, third.userId]})`.execute(
        app.database,
      );
    await plan('infinity');
    expect(await friendsOf(one)).toMatchObject({ friends: [], sent: [] });
    expect(errorOf(await readLink(await app.newLearner(), link))).toEqual([404, 'friendLinkEnded']);
    expect(errorOf(await askByLink(await app.newLearner(), link))).toEqual([
      404,
      'friendLinkEnded',
    ]);
    await plan(null);
    expect(await friendsOf(one)).toMatchObject({
      friends: [cardOf(other)],
      sent: [cardOf(third)],
    });
  });

  it('that asked takes no place of others in the list of requests', async () => {
    const { asker, asked } = await askedByLink();
    await sql`
      with leaving as (
        update users set deletes_at = 'infinity' where id in (${crowd(FRIENDS.shownRequests)})
        returning id
      )
      insert into friend_request (asker_id, asked_id, asked_at)
      select id, ${asked.userId}::bigint, ${app.clock.now()}::timestamptz + interval '1 second' from leaving`.execute(
      app.database,
    );
    expect((await friendsOf(asked)).received).toEqual([cardOf(asker)]);
    await sql`update users set deletes_at = null where deletes_at = 'infinity'`.execute(
      app.database,
    );
  });

  it('that asked cannot be accepted any more', async () => {
    const { asker, asked } = await askedByLink();
    await sql`update users set deletes_at = 'infinity' where id = ${asker.userId}`.execute(
      app.database,
    );
    expect(errorOf(await accept(asked, asker))).toEqual([404, 'friendRequestEnded']);
    await sql`delete from users where id = ${asker.userId}`.execute(app.database);
    expect(errorOf(await accept(asked, asker))).toEqual([404, 'friendRequestEnded']);
  });
});

describe('the notice', () => {
  it('names asking and accepting learners, and nobody who declines', async () => {
    const [asker, asked] = await two();
    const link = await newLink(asked);
    const hear = async (learner: Learner) =>
      (await clients.connectAs(app, learner)).subscribe(destinations.notices);
    const [toAsker, toAsked] = [await hear(asker), await hear(asked)];
    await askByLink(asker, link);
    await vi.waitFor(() =>
      expect(newsIn(toAsked)).toEqual([{ what: 'asked', nickname: asker.nickname }]),
    );
    await askByLink(asker, link);
    await remove(asked, asker);
    await accept(asked, asker);
    await vi.waitFor(() => {
      // Of their own request, and of the acceptance: nothing of the declined one between them.
      expect(newsIn(toAsker)).toEqual([null, { what: 'accepted', nickname: asked.nickname }]);
      expect(newsIn(toAsked)).toEqual([expect.anything(), null, null]);
    });
    await remove(asked, asker);
    await vi.waitFor(() => expect(newsIn(toAsker).slice(2)).toEqual([null]));
  });
});

it('lists the latest request first', async () => {
  const asked = await app.newLearner();
  const link = await newLink(asked);
  const askers = [await app.newLearner(), await app.newLearner()];
  for (const asker of askers) {
    await askByLink(asker, link);
    app.clock.advance(1_000);
  }
  expect(namesIn((await friendsOf(asked)).received)).toEqual(
    askers.toReversed().map(({ nickname }) => nickname),
  );
});
