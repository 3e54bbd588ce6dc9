import {
  type ChatMessage,
  destinations,
  logout,
  type Reaction,
  type ReactionChange,
  type RoomId,
  reactions,
  type UserId,
} from '@mogakgong/contract';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasRedis } from '../../../../../test/redis-server.ts';
import { compareAll } from '../../../test/compare-all.ts';
import { openRedisSite, type RedisSite } from '../../../test/redis-site.ts';
import { createTestClients, type Received } from '../../../test/stomp-client.ts';
import type { TestApp } from '../../../test/test-app.ts';

const contents = (received: readonly Received[]) =>
  received.filter(({ headers }) => headers.kind === undefined).map(({ body }) => body.content);

describe.skipIf(!hasRedis)('a room whose learners are connected to two processes', () => {
  let site: RedisSite;
  beforeAll(async () => {
    site = await openRedisSite();
  });
  const clients = createTestClients();
  afterEach(() => clients.closeAll());
  afterAll(() => site.close());

  const connect = clients.connectAs.bind(clients);

  async function seated(app: TestApp) {
    const learner = await app.newLearner();
    const roomId: RoomId = await app.seat(learner);
    const client = await connect(app, learner);
    const received = await client.subscribe(destinations.messages, { 'last-id': '' });
    const say = (content: string) =>
      client.send(destinations.sendChat, { senderId: learner.userId, roomId, content });
    return { learner, roomId, client, received, say };
  }

  it('has one order for everybody, at both', async () => {
    const here = await seated(site.apps[0]);
    const there = await seated(site.apps[1]);
    expect(there.roomId).toBe(here.roomId);
    await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 ? here : there).say(`m${index}`)),
    );
    await vi.waitFor(() => {
      expect(contents(here.received)).toHaveLength(40);
      expect(contents(there.received)).toHaveLength(40);
    });
    const ids = (received: readonly Received[]) =>
      received.slice(1).map(({ body }) => (body as ChatMessage).id);
    expect(ids(here.received)).toEqual(ids(there.received));
    await Promise.all([site.apps[0].leave(here.learner), site.apps[1].leave(there.learner)]);
  });

  it('shows a reply at the other process, and reactions in one order at both', async () => {
    const here = await seated(site.apps[0]);
    const there = await seated(site.apps[1]);
    const reactionsAt = ({ client }: typeof here) => client.subscribe(destinations.reactions);
    const [atHere, atThere] = [await reactionsAt(here), await reactionsAt(there)];
    const asked = (await here.say('until when?'))?.headers['message-id'] ?? '';
    await there.client.send(destinations.sendChat, {
      ...{ senderId: there.learner.userId, roomId: there.roomId, content: 'until ten' },
      quotedId: asked,
    });
    await vi.waitFor(() =>
      expect(here.received.at(-1)?.body.quote).toMatchObject({
        ...{ id: asked, senderId: here.learner.userId, content: 'until when?' },
      }),
    );
    const react = ({ client, roomId }: typeof here, reaction: Reaction) =>
      client.send(destinations.sendReaction, { roomId, messageId: asked, reaction });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        react(index % 2 ? here : there, reactions[index % reactions.length] ?? 'like'),
      ),
    );
    const changesOf = (received: readonly Received[]): readonly ReactionChange[] =>
      received.flatMap(({ body }) => body.changes);
    await vi.waitFor(() => {
      expect(changesOf(atHere).length).toBeGreaterThan(1);
      expect(changesOf(atHere)).toEqual(changesOf(atThere));
      const numbers = changesOf(atHere).map(({ number }) => number);
      expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    });
    await site.redis.kill();
    await react(here, 'fire');
    await react(here, 'clap');
    await vi.waitFor(async () => {
      await compareAll(site.apps[1], 'events of /topic/reactions');
      expect(changesOf(atThere).at(-1)).toMatchObject({
        ...{ userId: here.learner.userId, reaction: 'clap' },
      });
    });
    await site.redis.start();
    await site.untilWhole();
    await Promise.all([site.apps[0].leave(here.learner), site.apps[1].leave(there.learner)]);
  });

  it('loses nothing while Redis is away, and says that it is', async () => {
    const here = await seated(site.apps[0]);
    const there = await seated(site.apps[1]);
    const notices = await there.client.subscribe(destinations.notices);
    await site.redis.kill();
    await vi.waitFor(() =>
      expect(notices.map(({ body }) => body)).toEqual([{ kind: 'delivery', state: 'degraded' }]),
    );
    await here.say('during the outage');
    expect(contents(here.received)).toEqual(['during the outage']);
    // The job that looks for gaps every two seconds.
    await vi.waitFor(async () => {
      await compareAll(site.apps[1], 'events of /topic/messages');
      expect(contents(there.received)).toEqual(['during the outage']);
    });
    await site.redis.start();
    await vi.waitFor(
      () => expect(notices.at(-1)?.body).toEqual({ kind: 'delivery', state: 'whole' }),
      {
        timeout: 15_000,
      },
    );
    await here.say('afterwards');
    await vi.waitFor(() =>
      expect(contents(there.received)).toEqual(['during the outage', 'afterwards']),
    );
    await Promise.all([site.apps[0].leave(here.learner), site.apps[1].leave(there.learner)]);
  });

  it('is left by a subscription at one process when its learner leaves at the other', async () => {
    const here = await seated(site.apps[0]);
    const there = await seated(site.apps[1]);
    await site.apps[0].leave(there.learner);
    await vi.waitFor(async () => {
      await there.say('am I still there?');
      expect(there.client.lastError).toBe('notInThisRoom');
    });
    const before = contents(there.received).length;
    await here.say('only for those who stayed');
    await here.say('and this');
    await vi.waitFor(() => expect(contents(here.received).at(-1)).toBe('and this'));
    expect(contents(there.received)).toHaveLength(before);
  });

  it('is left, and entered, even when the event of it is lost', async () => {
    const here = await seated(site.apps[0]);
    const there = await seated(site.apps[1]);
    await site.redis.kill();
    await site.apps[0].leave(there.learner);
    await here.say('not for who has left');
    await compareAll(site.apps[1], 'seats of the connected');
    await compareAll(site.apps[1], 'events of /topic/messages');
    expect(contents(there.received)).toEqual([]);
    await there.say('into the old room');
    expect(there.client.lastError).toBe('notInThisRoom');
    await site.apps[0].seat(there.learner);
    await compareAll(site.apps[1], 'seats of the connected');
    await vi.waitFor(() => expect(there.received.at(-1)?.headers.kind).toBe('recovery'));
    await site.redis.start();
    await site.untilWhole();
    await Promise.all([site.apps[0].leave(here.learner), site.apps[0].leave(there.learner)]);
  });

  it('gets the notices of a learner at the process they are connected to, and only there', async () => {
    const [learner, other] = [await site.apps[0].newLearner(), await site.apps[0].newLearner()];
    const client = await connect(site.apps[1], learner);
    const notices = await client.subscribe(destinations.notices);
    const probe = new Redis(site.redis.url);
    const subscribers = async (userId: UserId) => {
      const [, count] = await probe.pubsub('NUMSUB', `mogakgong:a:notices:${userId}`);
      return count;
    };
    await vi.waitFor(async () => expect(await subscribers(learner.userId)).toBe(1));
    expect(await subscribers(other.userId)).toBe(0);
    await site.apps[0].inject({
      method: 'PUT',
      url: `/api/blocks/${other.userId}`,
      headers: learner.headers,
    });
    await vi.waitFor(() =>
      expect(notices.map(({ body }) => body)).toEqual([
        { kind: 'blocks', blockedIds: [other.userId] },
      ]),
    );
    client.cut();
    await vi.waitFor(async () => expect(await subscribers(learner.userId)).toBe(0));
    probe.disconnect();
  });

  it('is left by the connection at one process when the log-in ends at the other', async () => {
    const learner = await site.apps[0].newLearner();
    const client = await connect(site.apps[1], learner);
    await site.apps[0].inject({
      method: logout.method,
      url: logout.path,
      headers: { cookie: learner.cookie },
    });
    await vi.waitFor(() => expect(client.closeCode).toBeDefined(), { timeout: 5_000 });
    const again = await connect(site.apps[1], learner);
    expect(again.lastError).toBe('unauthorized');
  });

  it('is left so even while Redis is away', async () => {
    const learner = await site.apps[0].newLearner();
    const client = await connect(site.apps[1], learner);
    await site.redis.kill();
    await site.apps[0].inject({
      method: logout.method,
      url: logout.path,
      headers: { cookie: learner.cookie },
    });
    // The job that runs every three seconds.
    await site.apps[1].runJob('ended log-ins');
    await vi.waitFor(() => expect(client.closeCode).toBeDefined(), { timeout: 2_000 });
    await site.redis.start();
  });
});
