import { type BoardElement, UserId } from '@mogakgong/contract';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BOARD_ROOM, BoardLink, BoardServer } from '../../../testing/board-server.ts';
import { ApiError } from '../../shared/api/index.ts';
import { BoardRoom } from './board-room.ts';
import { bytesOf } from './element-size.ts';

const ME = UserId.parse(1);
const OTHER = UserId.parse(2);

let server: BoardServer;
let link: BoardLink;
let board: BoardRoom;
/** The calls that the surface got, in order. */
let told: (readonly BoardElement[])[];

function open(): BoardRoom {
  const room = new BoardRoom({
    roomId: BOARD_ROOM,
    userId: ME,
    transport: link,
    fetchBoard: link.fetchBoard,
  });
  told = [];
  room.onRemote((elements) => told.push(elements));
  return room;
}

function element(id: string, more: object = {}): BoardElement {
  return { id, type: 'rectangle', version: 1, versionNonce: 5, isDeleted: false, ...more };
}

/** Somebody else draws. */
function otherDraws(...elements: BoardElement[]): void {
  server.take(OTHER, { roomId: BOARD_ROOM, generation: server.generation, elements });
}

/** Time passes, and everything arrives. */
async function settle(ms = 1_000): Promise<void> {
  for (let passed = 0; passed <= ms; passed += 25) {
    await vi.advanceTimersByTimeAsync(25);
    await link.flush();
  }
}

const state = () => board.store.getState();
const shownIds = () => [...state().elements.keys()];
const sentElements = () => link.sent.flatMap(({ elements }) => elements as BoardElement[]);

beforeEach(async () => {
  vi.useFakeTimers();
  sessionStorage.clear();
  server = new BoardServer();
  link = new BoardLink(server, ME);
  otherDraws(element('theirs'));
  board = open();
  await settle(0);
});
afterEach(() => board.close());

describe('the board', () => {
  test('is not asked for again before the server takes it', async () => {
    board.close();
    const refusal = new ApiError('later', { status: 429, retryAfterMs: 20_000 });
    const fetchBoard = vi.fn(link.fetchBoard).mockRejectedValueOnce(refusal);
    board = new BoardRoom({ roomId: BOARD_ROOM, userId: ME, transport: link, fetchBoard });
    await settle(19_000);
    expect(fetchBoard).toHaveBeenCalledTimes(1);
    expect(state().state).toBe('loading');
    await settle(2_000);
    expect(fetchBoard).toHaveBeenCalledTimes(2);
    expect(shownIds()).toEqual(['theirs']);
  });

  test('is read when the subscription starts, and follows what others draw', async () => {
    expect(state()).toMatchObject({ state: 'live', generation: 1 });
    expect(told.flat().map(({ id }) => id)).toEqual(['theirs']);
    otherDraws(element('second'));
    otherDraws(element('theirs', { version: 2, isDeleted: true }));
    await settle(0);
    expect(shownIds()).toEqual(['second']);
    expect(told.at(-1)?.[0]).toMatchObject({ id: 'theirs', isDeleted: true });
  });

  test('reads what was missed, and nothing where nothing was', async () => {
    const read = vi.spyOn(server, 'read');
    link.cut();
    expect(state().state).toBe('offline');
    link.connect();
    await settle(0);
    expect(state().state).toBe('live');
    expect(read).not.toHaveBeenCalled();
    link.cut();
    otherDraws(element('second'));
    link.connect();
    await settle(0);
    expect(read).toHaveBeenCalledExactlyOnceWith({ generation: 1, number: 1 });
    expect(shownIds()).toEqual(['theirs', 'second']);
  });

  test('is read whole when it starts anew unasked: a block has changed what may be seen', async () => {
    server.rows.delete('theirs');
    link.deliver(server.start());
    await settle(0);
    expect(shownIds()).toEqual([]);
    expect(told.at(-1)?.[0]).toMatchObject({ id: 'theirs', isDeleted: true });
  });

  test('shows what may be seen of it when it cannot be read at once', async () => {
    board.close();
    board = open();
    link.transits.shift()?.arrive();
    link.transits.shift()?.lose();
    await settle(0);
    expect(state().state).toBe('loading');
    await settle(3_000);
    expect(state().state).toBe('live');
  });
});

describe('what is drawn', () => {
  test('is sent at once, then every 50 ms at most, and shown as the server has it', async () => {
    const start = performance.now();
    for (let version = 1; version <= 20; version += 1) {
      board.changed([element('mine', { version, x: version })]);
      await vi.advanceTimersByTimeAsync(10);
      await link.flush();
    }
    expect(performance.now() - start).toBe(200);
    expect(sentElements().map(({ x }) => x)).toEqual([1, 5, 10, 15, 20]);
    await settle();
    expect(state().elements.get('mine')).toMatchObject({ x: 20, customData: { authorId: ME } });
    // The surface has it already.
    expect(told.flat().some(({ id }) => id === 'mine')).toBe(false);
  });

  test('is no change where the surface reports what it was told', async () => {
    board.changed([...state().elements.values()]);
    await settle();
    expect(link.sent).toEqual([]);
  });

  test('is no element as long as it is a text without a character', async () => {
    const write = async (version: number, text: string) => {
      board.changed([element('mine', { type: 'text', version, text })]);
      await settle();
    };
    await write(1, '');
    expect(sentElements()).toEqual([]);
    await write(2, '오늘');
    expect(server.elements.get('mine')).toMatchObject({ version: 2, text: '오늘' });
    // As undo does, step by step.
    await write(3, '');
    expect(server.elements.has('mine')).toBe(false);
    expect(state().elements.has('mine')).toBe(false);
    await write(4, '오늘');
    expect(server.elements.get('mine')).toMatchObject({ version: 4, text: '오늘' });
    // The editor that is open keeps what it has.
    expect(told.flat().some(({ id }) => id === 'mine')).toBe(false);
  });

  test('is not sent where it was deleted again before anybody had it', async () => {
    link.cut();
    board.changed([element('mine')]);
    board.changed([element('mine', { version: 2, isDeleted: true })]);
    link.connect();
    await settle();
    expect(link.sent).toEqual([]);
  });

  test('without a connection is sent with the next', async () => {
    link.cut();
    board.changed([element('mine'), element('theirs', { version: 4, x: 1 })]);
    expect(shownIds()).toEqual(['theirs', 'mine']);
    otherDraws(element('theirs', { version: 2, x: 2 }), element('second'));
    link.connect();
    await settle();
    expect(state().elements).toEqual(server.elements);
    expect(server.elements.get('theirs')?.x).toBe(1);
    expect([...server.elements.keys()]).toEqual(['theirs', 'second', 'mine']);
  });

  test('survives a reload, and is not sent to another board', async () => {
    link.cut();
    board.changed([element('mine')]);
    window.dispatchEvent(new Event('pagehide'));
    board = open();
    link.connect();
    await settle();
    expect(server.elements.has('mine')).toBe(true);

    link.cut();
    board.changed([element('secret')]);
    board.close();
    server.replace();
    board = open();
    link.connect();
    await settle();
    expect(server.elements.size).toBe(0);
  });

  test('counts as unsent until it is stored', async () => {
    expect(state().hasUnsent).toBe(false);
    board.changed([element('mine')]);
    expect(state().hasUnsent).toBe(true);
    await settle();
    expect(state().hasUnsent).toBe(false);
  });

  test('leaves no pointer behind when the board is closed', async () => {
    board.pointerMoved({ x: 1, y: 2 });
    await settle(0);
    board.pointerMoved(null);
    board.close();
    await settle(0);
    expect(link.sent.map(({ pointer }) => pointer)).toEqual([{ x: 1, y: 2 }, null]);
  });

  test('is split into frames that the server takes', async () => {
    const text = '가'.repeat(1_000);
    board.changed(Array.from({ length: 30 }, (_, index) => element(`t${index}`, { text })));
    await settle(2_000);
    expect(server.elements.size).toBe(31);
    for (const payload of link.sent) {
      expect(new TextEncoder().encode(JSON.stringify(payload)).length).toBeLessThan(15_000);
    }
  });
});

describe('an element that is being edited', () => {
  test('stays as it is on the surface, and what was edited has precedence afterwards', async () => {
    board.editing(['theirs']);
    board.changed([element('theirs', { version: 2, text: 'mine' })]);
    otherDraws(element('theirs', { version: 9, text: 'other' }));
    await settle();
    expect(told.flat().filter(({ text }) => text === 'other')).toEqual([]);
    board.editing([]);
    await settle();
    expect(server.elements.get('theirs')).toMatchObject({ version: 10, text: 'mine' });
    expect(state().elements).toEqual(server.elements);
  });

  test('takes what others did where nothing was edited', async () => {
    board.editing(['theirs']);
    otherDraws(element('theirs', { version: 9, text: 'other' }));
    await settle();
    expect(told).toHaveLength(1);
    board.editing([]);
    expect(told.at(-1)?.[0]).toMatchObject({ version: 9, text: 'other' });
  });
});

describe('a long stroke', () => {
  const stroke = (points: number, version: number) =>
    element('stroke', {
      type: 'freedraw',
      version,
      points: Array.from({ length: points }, (_, index) => [
        index * 1.234_567_89,
        Math.sin(index / 20) * 100.123_456_789,
      ]),
      pressures: Array.from({ length: points }, () => 0.123_456_789),
    });

  test('is simplified for everybody when it ends, and fits into a frame', async () => {
    board.editing(['stroke']);
    board.changed([stroke(3_000, 1)]);
    await settle();
    expect(told.flat().some(({ id }) => id === 'stroke')).toBe(false);
    expect(sentElements()).toHaveLength(1);
    board.editing([]);
    await settle();
    const stored = server.elements.get('stroke');
    expect(told.at(-1)?.[0]).toMatchObject({ version: 2, points: stored?.points });
    expect(sentElements().every((sent) => bytesOf(sent) <= 14 * 1_024)).toBe(true);
    const kept = stored?.points as number[][];
    expect(kept.length).toBeGreaterThan(100);
    expect(stored?.pressures).toHaveLength(kept.length);
    for (const [x = 0, y = 0] of kept) {
      expect(Math.abs(y - Math.sin(x / 1.234_567_89 / 20) * 100.123)).toBeLessThan(1);
    }
  });

  test('costs bytes by the time it takes, not by the square of its length', async () => {
    board.editing(['stroke']);
    for (let points = 10; points <= 3_000; points += 10) {
      board.changed([stroke(points, points)]);
      await vi.advanceTimersByTimeAsync(16);
      await link.flush();
    }
    const bytes = sentElements().reduce((sum, sent) => sum + bytesOf(sent), 0);
    // 40 bytes a ms; without the pace, a hundred sends of up to 14 KB.
    expect(bytes).toBeLessThan(300 * 16 * 40 + 14_000);
    expect(bytes).toBeGreaterThan(100_000);
  });
});

describe('while the server fails to store what is drawn', () => {
  test('it stays, is said to wait, and is sent again later and later until it is stored', async () => {
    server.isFailing = true;
    board.changed([element('mine')]);
    await settle(2_000);
    expect(state()).toMatchObject({ isHeldUp: true, hasUnsent: true, problem: null });
    board.changed([element('mine', { version: 2 }), element('second')]);
    await settle(20_000);
    expect(shownIds()).toEqual(['theirs', 'mine', 'second']);
    expect(link.sent.length).toBeLessThan(12);
    server.isFailing = false;
    await settle(15_000);
    expect(state()).toMatchObject({ isHeldUp: false, hasUnsent: false, problem: null });
    expect(server.elements.get('mine')?.version).toBe(2);
    expect(state().elements).toEqual(server.elements);
  });
});

describe('what the server refuses', () => {
  test('is taken back with the reason, and the rest of the batch is stored', async () => {
    const many = Array.from({ length: 20 }, (_, index) => element(`e${index}`));
    board.changed([...many, element('theirs', { version: 2, isBad: true }), element('last')]);
    await settle(3_000);
    expect(state().problem).toEqual({ errorName: 'boardElementBad', text: 'boardElementBad' });
    expect(server.elements.size).toBe(22);
    expect(state().elements).toEqual(server.elements);
    expect(told.at(-1)?.[0]).toMatchObject({ id: 'theirs', version: 1 });
  });

  test('leaves the surface only when it is not edited any more', async () => {
    board.editing(['mine']);
    board.changed([element('mine', { isBad: true })]);
    await settle();
    expect(state().problem?.errorName).toBe('boardElementBad');
    expect(shownIds()).toContain('mine');
    board.editing([]);
    await settle();
    expect(shownIds()).not.toContain('mine');
    expect(told.at(-1)?.[0]).toMatchObject({ id: 'mine', isDeleted: true });
  });

  test('is not even sent where no frame can carry it', async () => {
    board.changed([element('mine', { text: 'x'.repeat(20_000) })]);
    await settle();
    expect(link.sent).toEqual([]);
    expect(state().problem).toEqual({ errorName: 'boardElementTooLarge', text: '' });
    expect(shownIds()).toEqual(['theirs']);
  });
});

describe('a board that is replaced', () => {
  test('is taken, and what was drawn and never stored is sent to it', async () => {
    board.changed([element('stored')]);
    await settle();
    server.replace();
    board.changed([element('stored', { version: 2 }), element('mine')]);
    await settle(3_000);
    expect(state().generation).toBe(2);
    expect([...server.elements.keys()]).toEqual(['mine']);
    expect(state().elements).toEqual(server.elements);
    expect(
      told
        .flat()
        .filter(({ isDeleted }) => isDeleted)
        .map(({ id }) => id),
    ).toEqual(['theirs', 'stored']);
  });

  test('while one was away may be that of other people: nothing is sent to it', async () => {
    link.cut();
    board.changed([element('mine')]);
    server.replace();
    link.connect();
    await settle(3_000);
    expect(server.elements.size).toBe(0);
    expect(shownIds()).toEqual([]);
    expect(state().problem?.errorName).toBe('boardReplaced');
  });
});

describe('pointers', () => {
  test('of others are shown until they leave or the connection is lost', () => {
    const deliver = (pointers: object[]) => {
      link.deliver({ kind: 'pointers', roomId: BOARD_ROOM, pointers });
      link.transits.pop()?.arrive();
    };
    deliver([{ userId: OTHER, at: { x: 1, y: 2 } }]);
    expect(state().pointers.get(OTHER)).toEqual({ x: 1, y: 2 });
    deliver([{ userId: OTHER, at: null }]);
    expect(state().pointers.size).toBe(0);
    deliver([{ userId: OTHER, at: { x: 1, y: 2 } }]);
    link.cut();
    expect(state().pointers.size).toBe(0);
  });

  test('are sent every 100 ms at most, with what is drawn where there is something', async () => {
    for (let x = 1; x <= 30; x += 1) {
      board.pointerMoved({ x, y: 0 });
      await vi.advanceTimersByTimeAsync(10);
      await link.flush();
    }
    expect(link.sent.map(({ pointer }) => pointer?.x)).toEqual([1, 10, 20, 30]);
    board.pointerMoved(null);
    board.changed([element('mine')]);
    await settle();
    expect(link.sent.slice(4)).toContainEqual(expect.objectContaining({ pointer: null }));
  });
});
