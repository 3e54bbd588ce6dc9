import { describe, expect, it, vi } from 'vitest';
import { newRectangle, openBoard, readBoard } from '../../../test/drawings.ts';
import type { TestApp } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { createBoardRepository } from './board.repository.ts';

let app: TestApp;
const clients = openTestSite(
  (opened) => {
    app = opened;
  },
  ['seat', 'study_room', 'board'],
);

async function drawer() {
  const learner = await app.newLearner();
  const roomId = await app.seat(learner);
  return openBoard(learner, await clients.connectAs(app, learner), roomId);
}

describe('a board that is replaced', () => {
  const boards = () => createBoardRepository(app.database);

  it('has other elements in a new generation, which everybody learns, though its event is lost', async () => {
    const [one, other] = [await drawer(), await drawer()];
    const { roomId, generation } = one;
    const [kept, later] = [newRectangle(), newRectangle()];
    await one.draw(kept);
    const before = (await boards().findContent({ roomId, epoch: 1 }, null))?.elements ?? [];
    expect(before).toMatchObject([{ id: kept.id, authorId: one.learner.userId }]);
    await other.draw(later);
    const replaced = await boards().replace({ roomId, generation }, before, app.clock.now());
    const idsBefore = replaced?.before.map(({ id }) => id) ?? [];
    expect(new Set(idsBefore)).toEqual(new Set([kept.id, later.id]));
    await app.runJob('holes in boards');
    await vi.waitFor(() => {
      for (const { received } of [one, other]) {
        expect(received.at(-1)?.body).toEqual({
          ...{ kind: 'replaced', roomId, number: 3, by: null },
          generation: replaced?.generation,
        });
      }
    });
    expect(replaced?.generation).not.toBe(generation);
    const known = { generation: String(generation), since: '1' };
    expect(await readBoard(app, other.learner, roomId, known)).toMatchObject({
      ...{ generation: replaced?.generation, number: 3, isWhole: true },
      elements: [{ id: kept.id }],
    });
    await other.draw(newRectangle());
    expect(other.client.lastError).toBe('boardReplaced');
    expect(await readBoard(app, other.learner, roomId)).toMatchObject({ number: 3 });
  });

  it('is emptied once, whoever does it at the same moment', async () => {
    const one = await drawer();
    const { roomId, generation } = one;
    await one.draw(newRectangle());
    const empty = () => boards().replace({ roomId, generation }, [], app.clock.now());
    const results = await Promise.all([empty(), empty()]);
    expect(results.filter((result) => result !== null)).toHaveLength(1);
    expect(await readBoard(app, one.learner, roomId)).toMatchObject({
      ...{ number: 2, isWhole: true, elements: [] },
    });
  });

  it('of another room is not replaced', async () => {
    const { generation } = await drawer();
    const roomId = await app.openRoom();
    expect(await boards().replace({ roomId, generation }, [], app.clock.now())).toBeNull();
  });
});
