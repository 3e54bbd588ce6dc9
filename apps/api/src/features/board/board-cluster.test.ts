import type { BoardElement, RoomId } from '@mogakgong/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasRedis, type RedisServer, startRedis } from '../../../../../test/redis-server.ts';
import {
  changed,
  type Drawer,
  newRectangle,
  openBoard,
  readBoard,
} from '../../../test/drawings.ts';
import { createTestClients } from '../../../test/stomp-client.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { type Backplane, createRedisBackplane } from '../../platform/backplane/index.ts';
import { createLogger } from '../../platform/logger/index.ts';

/** What was delivered, in its order: the number of each message and the elements in it. */
const delivered = ({ received }: Drawer) =>
  received
    .filter(({ body }) => body.kind === 'changes')
    .map(({ body }) => [body.number, body.elements.map(({ id }: BoardElement) => id)]);

/** Two processes of one site, with a real Redis between them. */
describe.skipIf(!hasRedis)('a board that is open at two processes', () => {
  let redis: RedisServer;
  let backplanes: [Backplane, Backplane];
  let apps: [TestApp, TestApp];
  const clients = createTestClients();

  beforeAll(async () => {
    redis = await startRedis();
    const backplane = () =>
      createRedisBackplane({ url: redis.url, siteId: 'a', logger: createLogger('silent') });
    backplanes = [backplane(), backplane()];
    const first = await createTestApp({ backplane: backplanes[0] });
    apps = [first, await createTestApp({ backplane: backplanes[1], besides: first })];
    await Promise.all(apps.map((app) => app.listen()));
    await untilWhole();
  });
  const untilWhole = () =>
    vi.waitFor(() => expect(backplanes.map(({ state }) => state)).toEqual(['whole', 'whole']), {
      timeout: 15_000,
    });
  afterEach(() => clients.closeAll());
  afterAll(async () => {
    await apps[1].close();
    await apps[0].close();
    await redis.close();
  });

  async function drawer(app: TestApp, roomId: RoomId): Promise<Drawer> {
    const learner = await app.newLearner();
    await app.seat(learner, roomId);
    return openBoard(learner, await clients.connectAs(app, learner), roomId);
  }

  async function two(): Promise<[Drawer, Drawer]> {
    const roomId = await apps[0].openRoom();
    return [await drawer(apps[0], roomId), await drawer(apps[1], roomId)];
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
    const board = await readBoard(apps[1], there.learner, there.roomId);
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
    await redis.kill();
    await vi.waitFor(() => expect(backplanes[0].state).toBe('degraded'));
    const drawn = [newRectangle(), newRectangle()] as const;
    await here.draw(drawn[0]);
    await there.draw(drawn[1]);
    // The job that looks for holes every two seconds.
    await vi.waitFor(async () => {
      await Promise.all(apps.map((app) => app.runJob('holes in boards')));
      for (const one of [here, there]) {
        expect(delivered(one)).toEqual(drawn.map(({ id }, index) => [index + 1, [id]]));
      }
    });
    await redis.start();
    await untilWhole();
    const last = newRectangle();
    await here.draw(last);
    await vi.waitFor(() => expect(delivered(there).at(-1)).toEqual([3, [last.id]]));
  });
});
