import {
  BOARD_ELEMENT_MAX_BYTES,
  BOARD_ELEMENTS_MAX,
  BOARD_MAX_BYTES,
  type BoardElement,
  type BoardMessage,
  boardRate,
  closeHostedRoom,
  destinations,
  type RoomId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import {
  changed,
  type Drawer,
  newDrawer,
  newRectangle,
  newText,
  openBoard,
  readBoard,
} from '../../../test/drawings.ts';
import type { Received } from '../../../test/stomp-client.ts';
import { createTestApp, type Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { DELETED_MAX } from './store-changes.ts';

const { app, clients } = await openTestSite({
  emptied: ['seat', 'study_room', 'board', 'board_picture', 'block'],
});

const drawer = (roomId?: RoomId, site = app) => newDrawer(clients, site, roomId);

const read = ({ learner, roomId }: Drawer, query: Record<string, string> = {}) =>
  readBoard(app, learner, roomId, query);
const changesOf = (received: readonly Received[]) =>
  received.flatMap(({ body }) => {
    const message = body as BoardMessage;
    return message.kind === 'changes' ? message : [];
  });
const elementsOf = (received: readonly Received[]): BoardElement[] =>
  changesOf(received).flatMap(({ elements }) => elements);

describe('a drawing', () => {
  it('is stored when its receipt arrives, and reaches everybody in the room, its author too', async () => {
    const [one, other] = [await drawer(), await drawer()];
    expect(other.roomId).toBe(one.roomId);
    expect(one.received[0]?.body).toEqual({
      kind: 'start',
      roomId: one.roomId,
      generation: other.generation,
      number: 0,
    });
    const rectangle = newRectangle();
    const receipt = await one.draw(rectangle);
    expect(receipt?.headers.number).toBe('1');
    const stored = { ...rectangle, customData: { authorId: one.learner.userId } };
    expect(await read(other)).toEqual({
      ...{ generation: one.generation, number: 1, isWhole: true, elements: [stored] },
    });
    await vi.waitFor(() => {
      for (const { received } of [one, other]) expect(elementsOf(received)).toEqual([stored]);
    });
    expect(changesOf(other.received)).toEqual([
      {
        kind: 'changes',
        roomId: one.roomId,
        generation: one.generation,
        number: 1,
        elements: [stored],
      },
    ]);
  });

  it('of every kind is kept as it is', async () => {
    const one = await drawer();
    const line = {
      points: [
        [0, 0],
        [10.25, -3],
      ],
      lastCommittedPoint: null,
      startBinding: null,
      endBinding: { elementId: 'abc', focus: 0.1, gap: 4, fixedPoint: [0.5, 1] },
      startArrowhead: null,
      endArrowhead: 'arrow',
    };
    const elements = [
      newRectangle({ type: 'diamond', roundness: null, groupIds: ['g1', 'g2'] }),
      newRectangle({ type: 'ellipse', boundElements: [{ id: 'abc', type: 'arrow' }] }),
      newRectangle({ type: 'frame', name: '오늘 할 일' }),
      newRectangle({ type: 'line', ...line }),
      newRectangle({
        ...{ type: 'arrow', ...line, elbowed: true, startIsSpecial: null, endIsSpecial: false },
        fixedSegments: [{ start: [0, 0], end: [1, 1], index: 1 }],
      }),
      newRectangle({
        ...{ type: 'freedraw', points: line.points, pressures: [0.5, 1] },
        ...{ simulatePressure: false, lastCommittedPoint: [10.25, -3] },
      }),
      newText('줄\n바꿈\t"따옴표" \\ 🪔', { link: 'https://example.org/?q=1#x' }),
      newRectangle({
        ...{ type: 'image', fileId: 'a'.repeat(64), status: 'saved', scale: [1, -1] },
        crop: { x: 1, y: 2, width: 3, height: 4, naturalWidth: 5, naturalHeight: 6 },
      }),
    ];
    // Its picture is not stored yet.
    expect(await one.draw(...elements)).toBeUndefined();
    expect(one.client.lastError).toBe('boardElementBad');
    await sql`insert into board_picture values (${'a'.repeat(64)}, '', now())`.execute(
      app.database,
    );
    await sql`
      insert into board_image
      select room_id, epoch, ${'a'.repeat(64)}, now() from board`.execute(app.database);
    await one.draw(...elements);
    expect(one.client.errors).toHaveLength(1);
    const { elements: stored } = await read(one);
    const customData = { authorId: one.learner.userId };
    const byId = (a: BoardElement, b: BoardElement) => (a.id < b.id ? -1 : 1);
    expect(stored.toSorted(byId)).toEqual(
      elements.map((element) => ({ ...element, customData })).toSorted(byId),
    );
  });

  it('is read in full by a newcomer, and by number by a returning learner', async () => {
    const one = await drawer();
    const [first, second] = [newRectangle(), newRectangle()];
    await one.draw(first);
    await one.draw(second);
    const late = await drawer(one.roomId);
    expect(late.received[0]?.body).toMatchObject({ kind: 'start', number: 2 });
    expect(await read(late)).toMatchObject({ isWhole: true, number: 2 });
    const generation = String(one.generation);
    const moved = changed(first, { x: 99 });
    await one.draw(moved);
    await one.draw(changed(second, { isDeleted: true }));
    const since = await read(late, { generation, since: '2' });
    expect(since).toMatchObject({ isWhole: false, number: 4 });
    expect(since.elements).toMatchObject([
      { id: first.id, x: 99 },
      { id: second.id, isDeleted: true },
    ]);
    expect(await read(late, { generation, since: '4' })).toMatchObject({
      ...{ isWhole: false, elements: [] },
    });
    // Of another board, or from the future.
    for (const query of [
      { generation: String(one.generation + 1), since: '4' },
      { generation, since: '5' },
    ]) {
      const whole = await read(late, query);
      expect(whole).toMatchObject({ isWhole: true, number: 4, elements: [{ id: first.id }] });
      expect(whole.elements).toHaveLength(1);
    }
  });

  it('keeps only the fact of its deletion', async () => {
    const one = await drawer();
    const text = newText('a secret');
    await one.draw(text);
    const gone = changed(text, { isDeleted: true });
    await one.draw(gone);
    await vi.waitFor(() => expect(elementsOf(one.received)).toHaveLength(2));
    const { id, version, versionNonce } = gone;
    expect(elementsOf(one.received)[1]).toEqual({
      ...{ id, version, versionNonce, type: 'text', isDeleted: true },
      customData: { authorId: one.learner.userId },
    });
    const { rows } = await sql`select from board_element where json like '%a secret%'`.execute(
      app.database,
    );
    expect(rows).toEqual([]);
    // Undo of the deletion.
    await one.draw(changed(gone, { isDeleted: false }));
    expect((await read(one)).elements).toMatchObject([{ id, text: 'a secret', version: 3 }]);
  });
});

describe('two states of one element', () => {
  it('are settled by the version and the nonce, whichever came first', async () => {
    const [one, other] = [await drawer(), await drawer()];
    const base = newRectangle({ version: 5, versionNonce: 50 });
    await one.draw({ ...base, x: 1 });
    for (const [state, winner] of [
      [{ version: 4, versionNonce: 1, x: 2 }, 1],
      [{ version: 5, versionNonce: 51, x: 3 }, 1],
      [{ version: 5, versionNonce: 50, x: 4 }, 1],
      [{ version: 5, versionNonce: 49, x: 5 }, 5],
      [{ version: 6, versionNonce: 900, x: 6 }, 6],
    ] as const) {
      expect(await other.draw({ ...base, ...state })).toBeDefined();
      expect((await read(one)).elements).toMatchObject([{ x: winner }]);
    }
  });

  it('that meet in one moment leave both senders with the winner', async () => {
    const [one, other] = [await drawer(), await drawer()];
    const base = newRectangle({ version: 7 });
    const [loser, winner] = [
      { ...base, versionNonce: 2, x: 1 },
      { ...base, versionNonce: 1, x: 2 },
    ];
    await Promise.all([one.draw(winner), other.draw(loser)]);
    await vi.waitFor(() => {
      for (const { received } of [one, other]) {
        expect(elementsOf(received).at(-1)).toMatchObject({ versionNonce: 1, x: 2 });
      }
    });
  });

  it('and the same state again change nothing and are no failure', async () => {
    const one = await drawer();
    const rectangle = newRectangle();
    const receipts = await Promise.all([one.draw(rectangle), one.draw(rectangle)]);
    expect(receipts.map((receipt) => receipt?.headers.number)).toEqual(['1', '1']);
    expect((await one.draw(rectangle))?.headers.number).toBe('1');
    expect(await read(one)).toMatchObject({ number: 1, elements: [{ id: rectangle.id }] });
    expect(elementsOf(one.received)).toHaveLength(1);
  });
});

describe('the author', () => {
  it('is the maker of an element, whatever a client states', async () => {
    const [one, other] = [await drawer(), await drawer()];
    const forged = newRectangle({ customData: { authorId: other.learner.userId, more: 'x' } });
    await one.draw(forged);
    const customData = { authorId: one.learner.userId };
    expect((await read(one)).elements).toEqual([{ ...forged, customData }]);
    await other.draw(changed(forged, { customData: { authorId: other.learner.userId } }));
    expect((await read(one)).elements).toMatchObject([{ version: 2, customData }]);
  });

  it('is hidden by a block, until it is lifted', async () => {
    const [one, other, third] = [await drawer(), await drawer(), await drawer()];
    const [before, after] = [newRectangle(), newRectangle()];
    await one.draw(before);
    const block = (method: 'PUT' | 'DELETE') =>
      app.inject({
        method,
        url: `/api/blocks/${one.learner.userId}`,
        headers: other.learner.headers,
      });
    const starts = ({ received }: Drawer) => received.filter(({ body }) => body.kind === 'start');
    await block('PUT');
    // The board is to be read again.
    await vi.waitFor(() => {
      for (const apart of [one, other]) expect(starts(apart)).toHaveLength(2);
    });
    const own = newRectangle();
    await one.draw(after);
    await other.draw(own);
    await vi.waitFor(() => {
      for (const { received } of [one, other, third]) {
        expect(changesOf(received).at(-1)?.number).toBe(3);
      }
    });
    const idsOf = (elements: readonly BoardElement[]) => elements.map(({ id }) => id);
    expect(idsOf(elementsOf(third.received))).toEqual([before.id, after.id, own.id]);
    expect(idsOf(elementsOf(other.received))).toEqual([before.id, own.id]);
    expect(idsOf(elementsOf(one.received))).toEqual([before.id, after.id]);
    expect(idsOf((await read(other)).elements)).toEqual([own.id]);
    // A client that was away while the block was made knows too much: the reply replaces its state.
    const known = { generation: String(other.generation), since: '3' };
    const again = await read(other, known);
    expect([again.isWhole, idsOf(again.elements)]).toEqual([true, [own.id]]);
    expect(await read(third, known)).toMatchObject({ isWhole: false, elements: [] });
    expect(idsOf((await read(one)).elements)).toEqual([before.id, after.id]);
    expect(idsOf((await read(third)).elements)).toEqual([before.id, after.id, own.id]);
    await block('DELETE');
    await vi.waitFor(() => expect(starts(other)).toHaveLength(3));
    expect((await read(other)).elements).toHaveLength(3);
  });
});

describe('a board', () => {
  it('is that of one’s own room, and nobody else’s', async () => {
    const [roomOne, roomTwo] = [await app.openRoom(), await app.openRoom()];
    const [one, two] = [await drawer(roomOne), await drawer(roomTwo)];
    await one.draw(newRectangle());
    expect(await read({ ...two, roomId: roomOne })).toMatchObject({ error: 'notInThisRoom' });
    const refused = async (body: object, destination: string = destinations.sendBoard) => {
      expect(await two.client.send(destination, body)).toBeUndefined();
      return two.client.lastError;
    };
    const elements = [newRectangle()];
    const { generation } = one;
    expect(await refused({ roomId: roomOne, generation, elements })).toBe('notInThisRoom');
    expect(
      await refused(
        { roomId: roomTwo, generation, elements },
        `${destinations.sendBoard}/${roomOne}`,
      ),
    ).toBe('notInThisRoom');
    // The generation of another room’s board does not match this one.
    expect(await refused({ roomId: roomTwo, generation, elements })).toBe('boardReplaced');
    await two.client.subscribe(`${destinations.board}/${roomOne}`);
    expect(two.client.lastError).toBe('notInThisRoom');
    const outside = await app.newLearner();
    const client = await clients.connectAs(app, outside);
    await client.send(destinations.sendBoard, { roomId: roomOne, generation, elements });
    expect(client.lastError).toBe('notInThisRoom');
    expect(await readBoard(app, outside, roomOne)).toMatchObject({ error: 'notInThisRoom' });
    expect((await read(one)).elements).toHaveLength(1);
    expect((await read(two)).elements).toEqual([]);
    expect(elementsOf(two.received)).toEqual([]);
  });

  it('of a matched room ends with its gathering', async () => {
    const room = await app.openRoom();
    const one = await drawer(room);
    await one.draw(newRectangle());
    await app.leave(one.learner);
    const later = await drawer(room);
    expect(later.generation).not.toBe(one.generation);
    expect(await read(later)).toMatchObject({ number: 0, elements: [] });
    await later.client.send(destinations.sendBoard, {
      ...{ roomId: room, generation: one.generation, elements: [newRectangle()] },
    });
    expect(later.client.lastError).toBe('boardReplaced');
  });
});

describe('a board in a room with a host', () => {
  async function hostedRoom() {
    const learner = await app.newLearner();
    const roomId = await app.openHostedRoom(learner);
    await app.seat(learner, roomId);
    return { learner, roomId };
  }

  it('stays when everybody has left, until the room is closed', async () => {
    const { learner, roomId } = await hostedRoom();
    const host = await openBoard(learner, await clients.connectAs(app, learner), roomId);
    const drawn = newRectangle();
    await host.draw(drawn);
    await app.leave(learner);
    await app.runJob('old boards');
    await app.seat(learner, roomId);
    const again = await openBoard(learner, await clients.connectAs(app, learner), roomId);
    expect(again.received[0]?.body).toMatchObject({ generation: host.generation, number: 1 });
    expect((await read(again)).elements).toMatchObject([{ id: drawn.id }]);
    await again.draw(newRectangle());
    await vi.waitFor(() => expect(changesOf(again.received).at(-1)?.number).toBe(2));
    await app.inject({
      method: closeHostedRoom.method,
      url: closeHostedRoom.path.replace(':roomId', String(roomId)),
      headers: learner.headers,
    });
    await app.runJob('old boards');
    expect(await storedBoards()).toEqual([]);
  });
});

const storedBoards = async () => {
  const { rows } = await sql<{ generation: number }>`
    select generation from board union all select generation from board_element
    join board using (room_id, epoch)`.execute(app.database);
  return rows.map(({ generation }) => generation);
};

describe('outdated data', () => {
  it('the board of a gathering that has ended, with all that was drawn, is deleted', async () => {
    const [one, other] = [await drawer(await app.openRoom()), await drawer(await app.openRoom())];
    await Promise.all([one.draw(newRectangle()), other.draw(newRectangle())]);
    await app.leave(one.learner);
    await app.runJob('old boards');
    expect(await storedBoards()).toEqual([other.generation, other.generation]);
  });

  it('a deleted element is forgotten after an hour: a client that missed it reads the whole board', async () => {
    const one = await drawer();
    const [kept, gone] = [newRectangle(), newRectangle()];
    await one.draw(kept, gone);
    await one.draw(changed(gone, { isDeleted: true }));
    await one.draw(changed(kept, { x: 1 }));
    const ask = async (since: string) =>
      readBoard(app, await app.renew(one.learner), one.roomId, {
        ...{ generation: String(one.generation), since },
      });
    app.clock.advance(59 * 60_000);
    await app.runJob('old boards');
    const missed = await ask('1');
    expect(missed).toMatchObject({ isWhole: false, number: 3 });
    expect(missed.elements).toMatchObject([{ id: gone.id, isDeleted: true }, { id: kept.id }]);
    app.clock.advance(2 * 60_000);
    await app.runJob('old boards');
    const whole = await ask('1');
    expect(whole).toMatchObject({ isWhole: true, number: 3 });
    expect(whole.elements).toMatchObject([{ id: kept.id, x: 1 }]);
    expect(await ask('2')).toMatchObject({ isWhole: false, number: 3 });
  });

  it('of many deleted elements the last are remembered', async () => {
    const one = await drawer();
    const json = JSON.stringify({ id: 'gone', type: 'line', isDeleted: true });
    await sql`
      insert into board_element
      select room_id, epoch, 'gone-' || n, 1, 1, n, true, ${one.learner.userId}, ${json}, 50,
             ${app.clock.now()}
      from board cross join generate_series(1, ${DELETED_MAX}) as n`.execute(app.database);
    await sql`update board set number = ${DELETED_MAX}`.execute(app.database);
    await one.draw(newRectangle({ isDeleted: true }));
    const { rows } = await sql`select count(*)::integer as count, min(number) as first
      from board_element`.execute(app.database);
    expect(rows).toEqual([{ count: DELETED_MAX, first: 2 }]);
    expect(await read(one, { generation: String(one.generation), since: '0' })).toMatchObject({
      isWhole: true,
      elements: [],
    });
  });
});

async function mute({ userId }: Learner): Promise<void> {
  const now = app.clock.now();
  await sql`
    insert into sanction (user_id, kind, reason, imposed_at, ends_at, changed_at)
    values (${userId}, 'muteChat', 'rudeness', ${now}, ${now}::timestamptz + interval '1 hour', ${now})`.execute(
    app.database,
  );
  await app.runJob('sanctions');
}

describe('a pointer', () => {
  it('reaches the others, not its owner, and is not stored', async () => {
    const [one, other] = [await drawer(), await drawer()];
    const point = (pointer: unknown) =>
      one.client.send(destinations.sendBoard, {
        ...{ roomId: one.roomId, generation: one.generation, elements: [], pointer },
      });
    const pointersAt = ({ received }: Drawer) =>
      received.filter(({ body }) => body.kind === 'pointers').map(({ body }) => body.pointers);
    const { userId } = one.learner;
    await point({ x: 1, y: 2 });
    await point({ x: 3, y: 4.5 });
    await vi.waitFor(() =>
      expect(pointersAt(other).at(-1)).toEqual([{ userId, at: { x: 3, y: 4.5 } }]),
    );
    await point(null);
    await vi.waitFor(() => expect(pointersAt(other).at(-1)).toEqual([{ userId, at: null }]));
    await point({ x: 1e9, y: 0 });
    expect(one.client.lastError).toBe('invalidRequest');
    expect(pointersAt(one)).toEqual([]);
    expect(await read(one)).toMatchObject({ number: 0 });
    await point({ x: 5, y: 5 });
    await vi.waitFor(() => expect(pointersAt(other).at(-1)).toMatchObject([{ at: { x: 5 } }]));
    one.client.cut();
    await vi.waitFor(() => expect(pointersAt(other).at(-1)).toEqual([{ userId, at: null }]));
  });

  it('of a muted learner is not shown, and disappears where it was', async () => {
    const [one, other] = [await drawer(), await drawer()];
    const point = (x: number) =>
      one.client.send(destinations.sendBoard, {
        ...{ roomId: one.roomId, generation: one.generation, elements: [], pointer: { x, y: 0 } },
      });
    const pointers = () => other.received.filter(({ body }) => body.kind === 'pointers');
    const { userId } = one.learner;
    await point(1);
    await vi.waitFor(() => expect(pointers().at(-1)?.body.pointers).toMatchObject([{ userId }]));
    await mute(one.learner);
    await point(2);
    const gone = [{ userId, at: null }];
    await vi.waitFor(() => expect(pointers().at(-1)?.body.pointers).toEqual(gone));
  });

  it('of a learner who leaves the room and stays connected disappears', async () => {
    const [one, other] = [await drawer(), await drawer()];
    const { userId } = one.learner;
    await one.client.send(destinations.sendBoard, {
      ...{ roomId: one.roomId, generation: one.generation, elements: [], pointer: { x: 1, y: 2 } },
    });
    const last = () => other.received.findLast(({ body }) => body.kind === 'pointers')?.body;
    await vi.waitFor(() => expect(last()?.pointers).toMatchObject([{ at: { x: 1 } }]));
    await app.leave(one.learner);
    await vi.waitFor(() => expect(last()?.pointers).toEqual([{ userId, at: null }]));
    expect(one.client.isConnected).toBe(true);
  });
});

describe('a refusal stores nothing, and the connection stays', () => {
  const freedraw = { type: 'freedraw', pressures: [], simulatePressure: true };

  it.each([
    ['no object', 'x'],
    ['without fields', { id: 'a', type: 'rectangle', version: 1, versionNonce: 1 }],
    ['a page in a frame', newRectangle({ type: 'iframe' })],
    ['an embedded page', newRectangle({ type: 'embeddable' })],
    ['of an unknown kind', newRectangle({ type: '__proto__' })],
    ['a strange id', newRectangle({ id: '<b>' })],
    ['no number', newRectangle({ x: null })],
    ['a number in quotes', newRectangle({ width: '10' })],
    ['far away', newRectangle({ y: 1e8 })],
    ['a colour that is none', newRectangle({ strokeColor: 'url(javascript:x)"' })],
    ['an address as a colour', newRectangle({ backgroundColor: 'url(//example.org/a.svg#b)' })],
    ['an id that every object has', newRectangle({ id: 'constructor' })],
    ['a group that every object has', newRectangle({ groupIds: ['__proto__'] })],
    ['larger than anybody draws', newRectangle({ height: 1e6 })],
    ['a line that is longer', newRectangle({ ...freedraw, points: [[0, 1e6]] })],
    ['thinner than anybody draws', newRectangle({ strokeWidth: 0.01 })],
    [
      'a picture by an address',
      newRectangle({ type: 'image', fileId: 'https://x', status: 'saved', scale: [1, 1] }),
    ],
    ['a line without a stroke', newRectangle({ strokeColor: 'none' })],
    ['a version from the far future', newRectangle({ version: 2 ** 40 })],
  ])('%s', async (_name, element) => {
    const one = await drawer();
    expect(await one.draw(newRectangle(), element)).toBeUndefined();
    expect(one.client.lastError).toBe('boardElementBad');
    expect(await read(one)).toMatchObject({ number: 0, elements: [] });
    expect(one.client.isConnected).toBe(true);
  });

  it('a version from the far future in steps of one message', async () => {
    const one = await drawer();
    const element = newRectangle();
    const steps = [1, 2, 3].map((step) => ({ ...element, version: step * 900_000 }));
    expect(await one.draw(...steps)).toBeUndefined();
    expect(one.client.lastError).toBe('boardElementBad');
  });

  it.each(['0', 'a', 'b0', 'a10', 'zzz', `A${'0'.repeat(26)}`, `a0${'1'.repeat(200)}`])(
    'the place %s in the order of drawing',
    async (index) => {
      const one = await drawer();
      expect(await one.draw(newRectangle({ index }))).toBeUndefined();
      expect(one.client.lastError).toBe('boardElementBad');
    },
  );

  it.each([
    ['NaN', 'invalidRequest'],
    ['Infinity', 'invalidRequest'],
    ['1e400', 'boardElementBad'],
    ['-1e400', 'boardElementBad'],
  ])('the number %s', async (value, error) => {
    const one = await drawer();
    const { roomId, generation } = one;
    const element = JSON.stringify(newRectangle()).replace('"x":10.5', `"x":${value}`);
    const body = `{"roomId":${roomId},"generation":${generation},"elements":[${element}]}`;
    await one.client.send(destinations.sendBoard, body);
    expect(one.client.lastError).toBe(error);
    expect(await read(one)).toMatchObject({ number: 0 });
  });

  it('for an element that is too large, and more than a hundred at once', async () => {
    const one = await drawer();
    const large = newText('가'.repeat(BOARD_ELEMENT_MAX_BYTES / 6));
    await one.draw(large);
    expect(one.client.lastError).toBe('boardElementTooLarge');
    await one.client.send(destinations.sendBoard, {
      ...{ roomId: one.roomId, generation: one.generation, elements: Array(101).fill({}) },
    });
    expect(one.client.lastError).toBe('invalidRequest');
    expect(await read(one)).toMatchObject({ number: 0 });
    await one.draw(newText('a'.repeat(BOARD_ELEMENT_MAX_BYTES / 2 - 500)));
    expect(await read(one)).toMatchObject({ number: 1 });
  });

  it('for drawings of a muted learner', async () => {
    const one = await drawer();
    await mute(one.learner);
    await one.draw(newRectangle());
    expect(one.client.lastError).toBe('chatMuted');
    expect(await read(one)).toMatchObject({ number: 0 });
  });

  it('for too many changes', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1' } });
    try {
      await limited.listen();
      const one = await drawer(undefined, limited);
      const second = await openBoard(
        one.learner,
        await clients.connectAs(limited, one.learner),
        one.roomId,
      );
      let stored = 0;
      // Pointers are not stored: even a slow machine handles them faster than allowed.
      const { roomId, generation } = one;
      const point = ({ client }: Drawer) =>
        client.send(destinations.sendBoard, {
          ...{ roomId, generation, elements: [], pointer: { x: 1, y: 2 } },
        });
      const drawers = Array.from({ length: boardRate.burst }, (_, index) =>
        index % 2 ? one : second,
      );
      const errors = () => [...one.client.errors, ...second.client.errors];
      await vi.waitFor(
        async () => {
          const pointing = drawers.map(point);
          if (await one.draw(newRectangle())) stored += 1;
          await Promise.all(pointing);
          expect(errors()).not.toEqual([]);
        },
        { timeout: 20_000, interval: 0 },
      );
      expect(new Set(errors().map(({ headers }) => headers.error))).toEqual(
        new Set(['boardTooFast']),
      );
      expect(await readBoard(limited, one.learner, roomId)).toMatchObject({ number: stored });
    } finally {
      await clients.closeAll();
      await limited.close();
    }
  });
});

describe('forbidden content', () => {
  it.each(['hachure', 'cross-hatch', 'zigzag'])(
    'with the fill %s is filled whole',
    async (fillStyle) => {
      const one = await drawer();
      const sent = newRectangle({ fillStyle, backgroundColor: '#ffc9c9' });
      expect(await one.draw(sent)).toBeDefined();
      expect((await read(one)).elements).toMatchObject([{ version: 2, fillStyle: 'solid' }]);
    },
  );

  it('keeps every place in the order that Excalidraw gives', async () => {
    const one = await drawer();
    const places = ['a0', 'a1V', 'Zz', 'b00', `A${'0'.repeat(25)}1`, `z${'z'.repeat(26)}V`];
    const elements = places.map((index) => newRectangle({ index }));
    expect(await one.draw(...elements)).toBeDefined();
    const stored: readonly { readonly index: string }[] = (await read(one)).elements;
    expect(new Set(stored.map(({ index }) => index))).toEqual(new Set(places));
  });

  it('rougher than Excalidraw offers is as rough as it offers', async () => {
    const one = await drawer();
    expect(await one.draw(newRectangle({ roughness: 10_000 }))).toBeDefined();
    expect((await read(one)).elements).toMatchObject([{ version: 2, roughness: 2 }]);
  });

  it('is corrected, as one more version, which its sender gets too', async () => {
    const one = await drawer();
    const bad = newText('a\u202Eb\u0007c', { link: 'javascript:alert(1)' });
    await one.draw(bad);
    await vi.waitFor(() =>
      expect(elementsOf(one.received)).toMatchObject([
        {
          version: 2,
          versionNonce: bad.versionNonce,
          text: 'abc',
          originalText: 'abc',
          link: null,
        },
      ]),
    );
    // Resent by a client that has not received it.
    await one.draw(bad);
    expect(await read(one)).toMatchObject({ number: 1 });
  });

  it.each([
    ['a NUL', 'https://example.org/\u0000a', 'https://example.org/%00a'],
    ['half a character', 'https://example.org/\ud800', 'https://example.org/%EF%BF%BD'],
    ['a direction', 'https://example.org/\u202Egpj.exe', 'https://example.org/%E2%80%AEgpj.exe'],
    ['letters that look like others', 'https://ехample.org/', 'https://xn--ample-ywe6i.org/'],
  ])('%s in a link is written as addresses write it', async (_what, link, shown) => {
    const one = await drawer();
    expect(await one.draw(newRectangle({ link }))).toBeDefined();
    expect((await read(one)).elements).toMatchObject([{ version: 2, link: shown }]);
    // The database parses elements for pictures, reports and deleted accounts.
    const { rows } = await sql`select json::jsonb ->> 'link' as link from board_element`.execute(
      app.database,
    );
    expect(rows).toEqual([{ link: shown }]);
  });

  it('by other names is dropped', async () => {
    const one = await drawer();
    const { roomId, generation } = one;
    const element = JSON.stringify(newRectangle()).replace(
      '{',
      '{"__proto__":{"isAdmin":true},"constructor":{"x":1},"onclick":"x",',
    );
    const body = `{"roomId":${roomId},"generation":${generation},"elements":[${element}]}`;
    await one.client.send(destinations.sendBoard, body);
    const { elements } = await read(one);
    expect(elements).toHaveLength(1);
    expect(JSON.stringify(elements)).not.toMatch(/isAdmin|constructor|onclick/u);
  });
});

describe('a full board', () => {
  /** Stores elements directly, with any size in bytes. */
  async function fill({ learner, generation }: Drawer, count: number, bytes: number) {
    const json = JSON.stringify(newRectangle({ id: 'filled' }));
    await sql`
      insert into board_element
      select room_id, epoch, 'filled-' || n, 1, 1, 1, false, ${learner.userId},
             replace(${json}, '"filled"', '"filled-' || n || '"'), ${bytes}::integer, now()
      from board cross join generate_series(1, ${count}::integer) as n
      where generation = ${generation}`.execute(app.database);
    await sql`
      update board set number = 1, elements = ${count}, bytes = ${count * bytes}
      where generation = ${generation}`.execute(app.database);
  }

  it('has room for as much as was deleted with an account', async () => {
    const one = await drawer();
    await fill(one, BOARD_ELEMENTS_MAX, 100);
    await sql`delete from board_element where id = 'filled-1'`.execute(app.database);
    expect(await one.draw(newRectangle())).toBeDefined();
    await one.draw(newRectangle());
    expect(one.client.lastError).toBe('boardFull');
  });

  it.each([
    ['elements', BOARD_ELEMENTS_MAX, 100],
    ['bytes', 128, BOARD_MAX_BYTES / 128],
  ])('of too many %s takes no more, but changes and deletions', async (_what, count, bytes) => {
    const one = await drawer();
    await fill(one, count, bytes);
    await one.draw(newRectangle());
    expect(one.client.lastError).toBe('boardFull');
    expect((await read(one)).elements).toHaveLength(count);
    const kept = newRectangle({ id: 'filled-1', version: 2 });
    if (bytes > 1_000) expect(await one.draw(kept)).toBeDefined();
    expect(
      await one.draw(changed(newRectangle({ id: 'filled-2' }), { isDeleted: true })),
    ).toBeDefined();
    expect(await one.draw(newRectangle())).toBeDefined();
  });
});
