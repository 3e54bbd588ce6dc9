import {
  blockUser,
  destinations,
  getBlocks,
  getOwnSanctions,
  getToday,
  type RouteDefinition,
} from '@mogakgong/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasRedis } from '../../../../../test/redis-server.ts';
import { allowInRedis, openRedisSite, type RedisSite } from '../../../test/redis-site.ts';
import { createTestClients, type Received } from '../../../test/stomp-client.ts';
import { AUTH_SECRET, type Learner, type TestApp } from '../../../test/test-app.ts';
import { createLogger } from '../../platform/logger/index.ts';
import { createSanctionsRepository, SanctionsService } from '../sanctions/index.ts';

const kindsOf = (received: readonly Received[]) =>
  received.map(({ body }) => (body.kind === 'delivery' ? body.state : body.kind));

async function read({ inject }: TestApp, { path: url }: RouteDefinition, { headers }: Learner) {
  return (await inject({ url, headers })).json();
}

describe.skipIf(!hasRedis)('while Redis is away, what another process changes', () => {
  let site: RedisSite;
  beforeAll(async () => {
    site = await openRedisSite();
  });
  const clients = createTestClients();
  afterEach(() => clients.closeAll());
  afterAll(() => site.close());

  it('reaches nobody here; afterwards every tab is told to ask, and every seat is followed', async () => {
    const [here, there] = site.apps;
    const [room, nextRoom] = [await here.openRoom(), await here.openRoom()];
    const [learner, mover, stranger] = [
      await here.newLearner(),
      await here.newLearner(),
      await here.newLearner(),
    ];
    for (const each of [learner, mover, stranger]) await here.seat(each, room);
    await here.move(learner, 'start', room);
    const [tab, otherTab, moversTab] = [
      await clients.connectAs(here, learner),
      await clients.connectAs(here, learner),
      await clients.connectAs(here, mover),
    ];
    const notices = await Promise.all(
      [tab, otherTab, moversTab].map((client) => client.subscribe(destinations.notices)),
    );
    const chat = await moversTab.subscribe(destinations.messages, { 'last-id': '' });
    const before = await read(here, getToday, learner);

    await site.redis.kill();
    for (const each of notices) {
      await vi.waitFor(() => expect(kindsOf(each)).toEqual(['degraded']));
    }
    await there.move(learner, 'pause', room);
    const url = blockUser.path.replace(':blockedId', String(stranger.userId));
    await there.inject({ method: blockUser.method, url, headers: learner.headers });
    const { database, clock } = there;
    const console = new SanctionsService({
      repository: createSanctionsRepository(database),
      ...{ database, clock, backplane: site.backplanes[1], authSecrets: [AUTH_SECRET] },
      logger: createLogger('silent'),
    });
    const order = { userId: learner.userId, kind: 'warn', reason: 'Be kind' } as const;
    await console.impose({ ...order, decidedBy: stranger.userId });
    await there.leave(mover);
    await there.seat(mover, nextRoom);
    expect(notices.map(kindsOf)).toEqual([['degraded'], ['degraded'], ['degraded']]);
    expect(chat).toHaveLength(1);

    await site.redis.start();
    await site.untilWhole();
    for (const each of notices) {
      await vi.waitFor(() => expect(kindsOf(each).slice(0, 2)).toEqual(['degraded', 'whole']));
    }
    // The routes that a tab requests then.
    expect(before.runningSinceMs).not.toBeNull();
    expect((await read(here, getToday, learner)).runningSinceMs).toBeNull();
    expect((await read(here, getBlocks, learner)).blockedIds).toEqual([stranger.userId]);
    expect((await read(here, getOwnSanctions, learner)).sanctions).toHaveLength(1);
    await vi.waitFor(() => expect(chat).toHaveLength(2));
    const said = { senderId: mover.userId, roomId: nextRoom, content: 'moved' };
    await moversTab.send(destinations.sendChat, said);
    await vi.waitFor(() => expect(chat.at(-1)?.body).toMatchObject(said));
    expect([tab, otherTab, moversTab].map(({ closeCode }) => closeCode)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('is made up for also where only that process could not publish', async () => {
    const [here, there] = site.apps;
    const learner = await here.newLearner();
    const tab = await clients.connectAs(here, learner);
    const notices = await tab.subscribe(destinations.notices);
    await allowInRedis(site.redis, '-publish');
    try {
      const url = blockUser.path.replace(':blockedId', '1');
      await there.inject({ method: blockUser.method, url, headers: learner.headers });
      await vi.waitFor(() => expect(site.backplanes[1].state).toBe('degraded'));
      const health = (await there.inject({ url: '/readyz' })).json();
      expect(health.checks.backplane.state).toBe('degraded');
    } finally {
      await allowInRedis(site.redis, '+publish');
    }
    await vi.waitFor(() => expect(kindsOf(notices).at(-1)).toBe('whole'), { timeout: 15_000 });
    expect((await read(here, getBlocks, learner)).blockedIds).toEqual([1]);
  });
});
