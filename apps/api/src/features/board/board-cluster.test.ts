import type { BoardElement } from '@mogakgong/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasRedis } from '../../../../../test/redis-server.ts';
import { compareAll } from '../../../test/compare-all.ts';
import {
  changed,
  type Drawer,
  newDrawer,
  newRectangle,
  readBoard,
} from '../../../test/drawings.ts';
import { openRedisSite, type RedisSite } from '../../../test/redis-site.ts';
import { createTestClients } from '../../../test/stomp-client.ts';

/** The deliveries in order: the number of each message and its elements. */
const delivered = ({ received }: Drawer) =>
  received
    .filter(({ body }) => body.kind === 'changes')
    .map(({ body }) => [body.number, body.elements.map(({ id }: BoardElement) => id)]);

describe.skipIf(!hasRedis)('a board that is open at two processes', () => {
  let site: RedisSite;
  beforeAll(async () => {
    site = await openRedisSite();
  });
  const clients = createTestClients();
  afterEach(() => clients.closeAll());
  afterAll(() => site.close());

  async function two(): Promise<[Drawer, Drawer]> {
    const [here, there] = site.apps;
    const roomId = await here.openRoom();
    return [await newDrawer(clients, here, roomId), await newDrawer(clients, there, roomId)];
  }

  it('has one order of changes for everybody, and one content', async () => {
    const [here, there] = await two();
    const shared = newRectangle();
    await here.draw(shared);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? here : there).draw(
          newRectangle(),
          changed({ ...shared, version: index + 1 }, { x: index }),
        ),
      ),
    );
    const board = await readBoard(site.apps[1], there.learner, there.roomId);
    expect(board.elements).toHaveLength(21);
    expect(board.elements).toContainEqual(expect.objectContaining({ id: shared.id, x: 19 }));
    await vi.waitFor(() => {
      expect(delivered(here).at(-1)?.[0]).toBe(board.number);
      expect(delivered(there)).toEqual(delivered(here));
    });
    const point = { roomId: here.roomId, generation: here.generation, elements: [] };
    await here.client.send('/pub/board', { ...point, pointer: { x: 1, y: 1 } });
    await vi.waitFor(() =>
      expect(there.received.at(-1)?.body).toMatchObject({
        ...{ kind: 'pointers', pointers: [{ userId: here.learner.userId }] },
      }),
    );
  });

  it('loses nothing while Redis is away', async () => {
    const [here, there] = await two();
    await site.redis.kill();
    await vi.waitFor(() => expect(site.backplanes[0].state).toBe('degraded'));
    const drawn = [newRectangle(), newRectangle()] as const;
    await here.draw(drawn[0]);
    await there.draw(drawn[1]);
    // The job that looks for gaps every two seconds.
    await vi.waitFor(async () => {
      await Promise.all(site.apps.map((app) => compareAll(app, 'events of /topic/board')));
      for (const one of [here, there]) {
        expect(delivered(one)).toEqual(drawn.map(({ id }, index) => [index + 1, [id]]));
      }
    });
    await site.redis.start();
    await site.untilWhole();
    const last = newRectangle();
    await here.draw(last);
    await vi.waitFor(() => expect(delivered(there).at(-1)).toEqual([3, [last.id]]));
  });
});
