import type { RoomId, UserId } from '@mogakgong/contract';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { BoardContent, NumberedElement } from './board.repository.ts';
import { type BoardEvent, BoardFeed, type NumberedBoardEvent } from './board-feed.ts';
import type { StoredElement } from './merge-changes.ts';

const key = { roomId: 1 as RoomId, epoch: 3 };
const author = 7 as UserId;

const element = (id: string, version: number, json = ''): StoredElement => ({
  ...{ id, version, versionNonce: 0, isDeleted: false, authorId: author, json },
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A model of a board's rows, and the events of its changes. */
class ModelBoard {
  generation = 1;
  number = 0;
  rows = new Map<string, NumberedElement>();

  change(elements: readonly StoredElement[]): BoardEvent {
    this.number += 1;
    const { generation, number } = this;
    for (const one of elements) this.rows.set(one.id, { ...one, number, bytes: one.json.length });
    return { kind: 'changes', epoch: key.epoch, generation, number, elements };
  }

  empty(): BoardEvent {
    this.number += 1;
    this.generation += 1;
    this.rows.clear();
    const { generation, number } = this;
    return { kind: 'replaced', epoch: key.epoch, generation, number };
  }

  read(since: { generation: number; number: number }): BoardContent {
    const { generation, number } = this;
    const isWhole = generation !== since.generation;
    const elements = [...this.rows.values()].filter((row) => isWhole || row.number > since.number);
    return { ...key, generation, number, isWhole, purgedNumber: 0, elements };
  }
}

function openFeed(board: ModelBoard) {
  const published: NumberedBoardEvent[] = [];
  const pointers: unknown[] = [];
  const feed = new BoardFeed({
    gathering: key,
    publish: (event) => void published.push(event),
    publishPointers: (all) => void pointers.push(all),
    open: async () => ({ generation: board.generation, number: board.number }),
    load: async (since) => board.read(since),
    onFailure: (error) => {
      throw error;
    },
  });
  return { feed, published, pointers };
}

/** The board of a client that follows every number and reads the board if one is missing. */
function viewOf(published: readonly NumberedBoardEvent[], board: ModelBoard) {
  const view = new Map<string, number>();
  let number = 0;
  for (const event of published) {
    const isNext = event.number === number + 1;
    number = event.number;
    if (event.kind === 'changes' && isNext) {
      for (const { id, version } of event.elements) view.set(id, version);
    } else {
      view.clear();
      for (const { id, version } of board.rows.values()) view.set(id, version);
      number = Math.max(number, board.number);
      break;
    }
  }
  return { number, view };
}

/** Elements change, the board is emptied; its events come late, twice, in any order or never. */
it('brings everybody to the rows, whatever becomes of the events', async () => {
  const steps = fc.array(
    fc.record({ id: fc.constantFrom('a', 'b', 'c', 'empty'), fate: fc.nat({ max: 9 }) }),
    { minLength: 1, maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (planned) => {
      const board = new ModelBoard();
      const { feed, published } = openFeed(board);
      await feed.ready();
      const late: BoardEvent[] = [];
      for (const [index, { id, fate }] of planned.entries()) {
        const event = id === 'empty' ? board.empty() : board.change([element(id, index + 1)]);
        if (fate < 5) feed.receive([event]);
        else if (fate < 8) late.unshift(event, event);
        else if (fate === 9) await vi.advanceTimersByTimeAsync(60);
      }
      feed.receive(late);
      feed.expectUpTo(board.number);
      await vi.advanceTimersByTimeAsync(1_000);
      const rows = new Map([...board.rows.values()].map(({ id, version }) => [id, version]));
      expect(feed.position).toEqual({ generation: board.generation, number: board.number });
      expect(viewOf(published, board)).toEqual({ number: board.number, view: rows });
      feed.close();
    }),
    { numRuns: 200 },
  );
});

it('takes no change of another gathering of the room', async () => {
  const board = new ModelBoard();
  const { feed, published } = openFeed(board);
  await feed.ready();
  feed.receive([{ ...board.change([element('a', 1)]), epoch: 2 } as BoardEvent]);
  expect(published).toEqual([]);
  feed.close();
});

it('lets everybody read the board when what is missing is too much for a slow reader', async () => {
  const board = new ModelBoard();
  const { feed, published } = openFeed(board);
  await feed.ready();
  for (let index = 0; index < 20; index += 1) {
    board.change([element(`large-${index}`, 1, 'x'.repeat(10_000))]);
  }
  feed.expectUpTo(board.number);
  await vi.advanceTimersByTimeAsync(100);
  expect(published).toEqual([{ kind: 'changes', generation: 1, number: 20, elements: [] }]);
  feed.close();
});

it('delivers the last pointer of everybody, ten times a second at most', async () => {
  const { feed, pointers } = openFeed(new ModelBoard());
  const point = (userId: number, x: number) =>
    feed.receive([{ kind: 'pointer', userId: userId as UserId, at: { x, y: 0 } }]);
  for (let atMs = 0; atMs < 1_000; atMs += 10) {
    point(1, atMs);
    point(2, -atMs);
    await vi.advanceTimersByTimeAsync(10);
  }
  expect(pointers.length).toBeLessThanOrEqual(10);
  expect(pointers[0]).toEqual([
    { userId: 1, at: { x: 90, y: 0 } },
    { userId: 2, at: { x: -90, y: 0 } },
  ]);
  feed.close();
});
