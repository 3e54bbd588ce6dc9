import { sql } from 'kysely';
import { afterAll, afterEach, expect, inject, it, vi } from 'vitest';
import { compareAll } from '../../../test/compare-all.ts';
import { changed, newRectangle, openBoard, readBoard } from '../../../test/drawings.ts';
import { untilLocked } from '../../../test/lock-waits.ts';
import { createPostgresProxy } from '../../../test/postgres-proxy.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { systemClock } from '../../platform/clock/index.ts';
import { createBoardRepository } from './board.repository.ts';
import { createBoardWriter } from './board-writer.ts';

const { app } = await openTestSite();
const proxy = await createPostgresProxy(inject('postgres'));
afterAll(() => proxy.close());
/** Another process, with a network to the database that can be cut. */
const { app: other, clients } = await openTestSite({
  besides: app,
  databaseOptions: { connection: proxy.connection },
});
afterEach(() => proxy.restore());

async function drawer() {
  const learner = await app.newLearner();
  const roomId = await app.seat(learner, await app.openRoom());
  return openBoard(learner, await clients.connectAs(other, learner), roomId);
}

it('a drawing made while the connection to the database breaks is stored once', async () => {
  const one = await drawer();
  const rectangle = newRectangle();
  await one.draw(rectangle);
  const moved = changed(rectangle, { x: 7 });
  const sending = await app.database.transaction().execute(async (transaction) => {
    await sql`select from board for update`.execute(transaction);
    const drawing = one.draw(moved);
    await untilLocked(app.database, 1, 'from board');
    proxy.cut();
    proxy.restore();
    return { drawing };
  });
  expect((await sending.drawing)?.headers.number).toBe('2');
  expect(await readBoard(app, one.learner, one.roomId)).toMatchObject({
    ...{ number: 2, elements: [{ id: rectangle.id, x: 7 }] },
  });
});

it('a failure that lasts is answered with an error, and what is sent again is stored', async () => {
  const one = await drawer();
  const rectangle = newRectangle();
  proxy.cut();
  expect(await one.draw(rectangle)).toBeUndefined();
  expect(one.client.errors).not.toEqual([]);
  proxy.restore();
  const again = await openBoard(
    one.learner,
    await clients.connectAs(other, one.learner),
    one.roomId,
  );
  expect(await again.draw(rectangle)).toBeDefined();
  expect(await readBoard(app, one.learner, one.roomId)).toMatchObject({
    ...{ number: 1, elements: [{ id: rectangle.id }] },
  });
});

it('a change committed without an answer is acknowledged, and delivered from the rows', async () => {
  const one = await drawer();
  const repository = createBoardRepository(app.database);
  let tries = 0;
  const write = createBoardWriter({
    repository: {
      async store(sent, now) {
        tries += 1;
        const result = await repository.store(sent, now);
        if (tries === 1) throw new Error('Connection terminated unexpectedly');
        return result;
      },
    },
    clock: systemClock,
    onStored: () => undefined,
  });
  const { id, version, versionNonce } = newRectangle();
  const json = JSON.stringify({ id, type: 'line', version, versionNonce, isDeleted: true });
  const outcome = await write({
    gathering: { roomId: one.roomId, epoch: 1 },
    generation: one.generation,
    senderId: one.learner.userId,
    apart: new Set(),
    elements: [{ id, version, versionNonce, isDeleted: true, pictureId: null, json }],
  });
  expect([tries, outcome]).toEqual([2, { kind: 'merged', number: 1 }]);
  await compareAll(other, 'events of /topic/board');
  await vi.waitFor(() => expect(one.received.at(-1)?.body).toMatchObject({ number: 1 }));
  expect(one.received.at(-1)?.body.elements).toMatchObject([{ id, isDeleted: true }]);
});
