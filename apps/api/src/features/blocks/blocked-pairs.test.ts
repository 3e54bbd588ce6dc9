import {
  applyPresenceChange,
  type ChatMessage,
  destinations,
  type Member,
  type PresenceMessage,
  UserId,
  WITHHELD_SENDER_ID,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasRedis, type RedisServer } from '../../../../../test/redis-server.ts';
import { createUnstartedJobs } from '../../../test/compare-all.ts';
import { openRedisSite } from '../../../test/redis-site.ts';
import { createTestClients, type Received } from '../../../test/stomp-client.ts';
import { createTestApp, type Learner, type TestApp } from '../../../test/test-app.ts';
import { createInProcessBackplane } from '../../platform/backplane/index.ts';
import { createLogger } from '../../platform/logger/index.ts';
import { BlockedPairs } from './blocked-pairs.ts';
import type { LearnerBlocks } from './blocks.repository.ts';

/** The processes of a site: the blocker connects to one, the blocked learner to the other. */
interface Site {
  readonly apps: readonly [TestApp, TestApp];
  /** Null without Redis. */
  readonly redis: RedisServer | null;
  close(): Promise<void>;
}

async function openOne(): Promise<Site> {
  const app = await createTestApp();
  await app.listen();
  return { apps: [app, app], redis: null, close: () => app.close() };
}

/** The members shown by a client that follows every number. */
function shown(received: readonly Received[]): readonly Member[] {
  let number = -1;
  let members: readonly Member[] = [];
  for (const { body } of received) {
    const message = body as PresenceMessage;
    if (message.kind === 'snapshot') members = message.members;
    else {
      expect(message.number).toBe(number + 1);
      members = applyPresenceChange(members, message.change);
    }
    number = message.number;
  }
  return members;
}

/** A client's log: the last recovery and the messages after it, without gaps. */
function logged(received: readonly Received[]): readonly ChatMessage[] {
  const last = received.findLastIndex(({ headers }) => headers.kind === 'recovery');
  const messages: ChatMessage[] = received
    .slice(last)
    .flatMap(({ body }) => body.messages ?? [body]);
  const numbers = messages.map(({ id }) => Number(id.split('-')[2]));
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
  return messages;
}

it('is not waited for by a learner who has gone meanwhile', async () => {
  const found = Promise.withResolvers<LearnerBlocks[]>();
  const pairs = new BlockedPairs({
    repository: { findBlocks: () => found.promise },
    backplane: createInProcessBackplane(),
    jobs: createUnstartedJobs(),
    logger: createLogger('silent'),
  });
  const userId = UserId.parse(1);
  pairs.watch(userId);
  const ready = pairs.ready(userId);
  pairs.unwatch(userId);
  found.resolve([{ blocks: new Set(), apart: new Set() }]);
  await ready;
});

describe.each([
  { where: 'one process', open: openOne, isSkipped: false },
  { where: 'two processes', open: openRedisSite, isSkipped: !hasRedis },
])('two in one room, one of whom blocks the other, at $where', ({ open, isSkipped }) => {
  if (isSkipped) return it.skip('needs Redis');
  let site: Site;
  const clients = createTestClients();
  beforeAll(async () => {
    site = await open();
  });
  afterEach(async () => {
    await clients.closeAll();
    await site.apps[0].empty('seat', 'study_room', 'block', 'chat_message', 'chat_counter');
  });
  afterAll(() => site.close());

  async function seated(app: TestApp) {
    const learner = await app.newLearner();
    const roomId = await app.seat(learner);
    return { app, learner, roomId, ...(await connected(app, learner, roomId)) };
  }

  async function connected(app: TestApp, learner: Learner, roomId: number) {
    const client = await clients.connectAs(app, learner);
    return {
      client,
      presence: await client.subscribe(destinations.presence),
      chat: await client.subscribe(destinations.messages, { 'last-id': '' }),
      say: (content: string) =>
        client.send(destinations.sendChat, { senderId: learner.userId, roomId, content }),
    };
  }

  /** The blocker at the first process, the blocked and a neighbour at the second. */
  async function threeSeated() {
    const blocker = await seated(site.apps[0]);
    const blocked = await seated(site.apps[1]);
    const neighbour = await seated(site.apps[1]);
    expect(new Set([blocker, blocked, neighbour].map(({ roomId }) => roomId)).size).toBe(1);
    await vi.waitFor(() => expect(shown(blocker.presence)).toHaveLength(3));
    return { blocker, blocked, neighbour };
  }

  const block = (blocker: Learner, { userId }: Learner, method: 'PUT' | 'DELETE' = 'PUT') =>
    site.apps[0].inject({ method, url: `/api/blocks/${userId}`, headers: blocker.headers });

  /** All messages from an index on, as text. */
  const textFrom = (index: number, ...received: (readonly Received[])[]) =>
    JSON.stringify(received.map((messages) => messages.slice(index)));

  it('neither gets the chat, the name, the picture or the clock of the other', async () => {
    const { blocker, blocked, neighbour } = await threeSeated();
    await blocker.say('before, by the blocker');
    await blocked.say('before, by the blocked');
    await vi.waitFor(() => {
      for (const { chat } of [blocker, blocked, neighbour]) expect(logged(chat)).toHaveLength(2);
    });
    const counts = [blocker, blocked].map(({ chat, presence }) => [chat.length, presence.length]);
    await block(blocker.learner, blocked.learner);
    // Earlier messages are replaced, for both.
    await vi.waitFor(() => {
      for (const [index, { chat, presence }] of [blocker, blocked].entries()) {
        expect([chat.length, presence.length]).toEqual(counts[index]?.map((count) => count + 1));
      }
    });
    const from = blocked.chat.length - 1;
    expect(blocker.chat.length - 1).toBe(from);
    await blocker.say('after, by the blocker');
    await blocked.say('after, by the blocked');
    await neighbour.say('after, by the neighbour');
    for (const { app, learner, roomId } of [blocker, blocked]) {
      expect((await app.move(learner, 'pause', roomId)).statusCode).toBe(200);
    }
    await vi.waitFor(() => {
      for (const { chat } of [blocker, blocked, neighbour]) expect(logged(chat)).toHaveLength(5);
      const clocks = shown(neighbour.presence).map(({ clock }) => clock.status);
      expect(clocks.filter((status) => status === 'pause')).toHaveLength(2);
      const numbers = [blocker, blocked, neighbour].map(({ presence }) => presence.at(-1)?.body);
      expect(new Set(numbers.map(({ number }) => number)).size).toBe(1);
    });

    expect(logged(neighbour.chat).every(({ isWithheld }) => !isWithheld)).toBe(true);
    expect(shown(neighbour.presence)).toHaveLength(3);

    // The blocked learner gets places in the order, and no sign of the sender.
    const { userId, nickname } = blocker.learner;
    const toBlocked = textFrom(from, blocked.chat, blocked.presence);
    expect(toBlocked).not.toContain('by the blocker');
    expect(toBlocked).not.toContain(nickname);
    expect(toBlocked).not.toContain(`"userId":${userId}`);
    expect(toBlocked).not.toContain(`"senderId":${userId}`);
    expect(shown(blocked.presence).map((member) => member.userId)).toEqual([
      blocked.learner.userId,
      neighbour.learner.userId,
    ]);
    expect(logged(blocked.chat).map(({ senderId }) => senderId)).toEqual([
      WITHHELD_SENDER_ID,
      blocked.learner.userId,
      WITHHELD_SENDER_ID,
      blocked.learner.userId,
      neighbour.learner.userId,
    ]);

    // The blocker knows that the other is still there, and the owner of the placeholder.
    const toBlocker = textFrom(from, blocker.chat, blocker.presence);
    expect(toBlocker).not.toContain('by the blocked');
    expect(toBlocker).not.toContain(blocked.learner.nickname);
    expect(shown(blocker.presence).find((m) => m.userId === blocked.learner.userId)).toEqual({
      userId: blocked.learner.userId,
      nickname: '',
      profileImage: '',
      title: null,
      connection: 'here',
      clock: expect.objectContaining({ status: 'idle' }),
    });
    expect(logged(blocker.chat).filter(({ isWithheld }) => isWithheld)).toEqual([
      expect.objectContaining({ senderId: blocked.learner.userId, content: '', nickname: '' }),
      expect.objectContaining({ senderId: blocked.learner.userId, content: '', nickname: '' }),
    ]);
  });

  it('holds for returning learners, for pages of history and for missed messages', async () => {
    const { blocker, blocked, neighbour } = await threeSeated();
    await blocker.say('the first');
    await neighbour.say('the second');
    await block(blocker.learner, blocked.learner);
    await vi.waitFor(() => expect(shown(blocked.presence)).toHaveLength(2));
    const lastId = logged(blocked.chat).at(-1)?.id ?? '';
    blocked.client.cut();
    await blocker.say('the third');
    await neighbour.say('the fourth');
    await vi.waitFor(() => expect(logged(neighbour.chat)).toHaveLength(4));

    const client = await clients.connectAs(site.apps[1], blocked.learner);
    const presence = await client.subscribe(destinations.presence);
    const missed = await client.subscribe(destinations.messages, { 'last-id': lastId });
    await vi.waitFor(() => expect(missed).toHaveLength(1));
    expect(missed[0]?.body).toMatchObject({ recovered: true });
    const history = await site.apps[1].inject({
      url: '/api/chat/messages',
      query: { before: logged(missed).at(-1)?.id ?? '' },
      headers: blocked.learner.headers,
    });
    const texts = (messages: readonly ChatMessage[]) => messages.map(({ content }) => content);
    expect(texts(logged(missed)).slice(-2)).toEqual(['', 'the fourth']);
    expect(texts(history.json().messages)).toEqual(['', 'the second', '']);
    expect(shown(presence).map(({ userId }) => userId)).not.toContain(blocker.learner.userId);
    expect(JSON.stringify([missed, presence, history.json()])).not.toContain(
      blocker.learner.nickname,
    );
  });

  it('ends without a reload: both get everything again', async () => {
    const { blocker, blocked } = await threeSeated();
    await blocker.say('by the blocker');
    await blocked.say('by the blocked');
    await block(blocker.learner, blocked.learner);
    await vi.waitFor(() => expect(shown(blocked.presence)).toHaveLength(2));
    await blocker.say('meanwhile');
    await block(blocker.learner, blocked.learner, 'DELETE');
    await vi.waitFor(() => {
      for (const { chat, presence } of [blocker, blocked]) {
        expect(shown(presence).map(({ nickname }) => nickname)).toEqual(
          expect.arrayContaining([blocker.learner.nickname, blocked.learner.nickname]),
        );
        expect(logged(chat).map(({ content }) => content)).toEqual([
          'by the blocker',
          'by the blocked',
          'meanwhile',
        ]);
      }
    });
  });

  it('stands until both have lifted theirs', async () => {
    const { blocker, blocked } = await threeSeated();
    await block(blocker.learner, blocked.learner);
    await block(blocked.learner, blocker.learner);
    await vi.waitFor(() => expect(shown(blocked.presence)).toHaveLength(3));
    await block(blocker.learner, blocked.learner, 'DELETE');
    // Now the other one is the blocker: a placeholder for them, nobody for the first.
    await vi.waitFor(() => expect(shown(blocker.presence)).toHaveLength(2));
    expect(JSON.stringify(shown(blocked.presence))).not.toContain(blocker.learner.nickname);
    await block(blocked.learner, blocker.learner, 'DELETE');
    await vi.waitFor(() => expect(shown(blocker.presence)).toHaveLength(3));
  });

  it('does not change the pages of learners in other rooms', async () => {
    const { blocker, blocked } = await threeSeated();
    await site.apps[0].leave(blocked.learner);
    await vi.waitFor(() => expect(shown(blocker.presence)).toHaveLength(2));
    const before = blocker.presence.length;
    const notices = await blocker.client.subscribe(destinations.notices);
    await block(blocker.learner, blocked.learner);
    await vi.waitFor(() => expect(notices).toHaveLength(1));
    await blocker.say('the only one that comes');
    await vi.waitFor(() => expect(logged(blocker.chat)).toHaveLength(1));
    expect(blocker.presence).toHaveLength(before);
  });

  it('is found in the database where its event was lost', async () => {
    const { blocker, blocked } = await threeSeated();
    await site.redis?.kill();
    await sql`insert into block values (${blocker.learner.userId}, ${blocked.learner.userId}, now())`.execute(
      site.apps[0].database,
    );
    await vi.waitFor(async () => {
      // The job that runs every two seconds, and compares everybody while Redis is away.
      await site.apps[1].runJob('blocks of the connected');
      expect(shown(blocked.presence)).toHaveLength(2);
    });
    await site.redis?.start();
  });
});
