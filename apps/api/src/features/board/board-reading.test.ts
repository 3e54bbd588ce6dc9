import {
  BOARD_ELEMENTS_MAX,
  BOARD_MAX_BYTES,
  blockUser,
  boardReading,
  getBoard,
  type RoomId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { changed, type Drawer, newDrawer, newRectangle, newText } from '../../../test/drawings.ts';
import { createTestApp, type Learner, type TestApp } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app, clients } = await openTestSite({ emptied: ['seat', 'study_room', 'board', 'block'] });

const drawer = (roomId?: RoomId) => newDrawer(clients, app, roomId);

const read = (
  { learner, roomId }: { learner: Learner; roomId: RoomId },
  query: Record<string, string> = {},
  site: TestApp = app,
) =>
  site.inject({
    method: getBoard.method,
    url: getBoard.path.replace(':roomId', String(roomId)),
    query,
    headers: learner.headers,
  });
const idsOf = async (reader: Drawer, query?: Record<string, string>) =>
  (await read(reader, query)).json<{ elements: { id: string }[] }>().elements.map(({ id }) => id);

/** Fills the board with the maximum number of elements, and nearly the maximum size. */
async function fill({ learner, roomId }: Drawer): Promise<void> {
  const bytes = Math.floor(BOARD_MAX_BYTES / BOARD_ELEMENTS_MAX) - 10;
  const empty = JSON.stringify({ ...newText(''), id: 'e0000' });
  const json = JSON.stringify({ ...newText('x'.repeat((bytes - empty.length) / 2)), id: 'e0000' });
  await sql`
    insert into board_element
    select room_id, epoch, 'e' || n, 1, 1, n - 999, false, ${learner.userId},
           replace(${json}, 'e0000', 'e' || n), ${json.length}, now()
    from board, generate_series(1000, 999 + ${BOARD_ELEMENTS_MAX}::integer) as n
    where room_id = ${roomId}`.execute(app.database);
  await sql`
    update board set number = ${BOARD_ELEMENTS_MAX}, elements = ${BOARD_ELEMENTS_MAX},
                     bytes = ${json.length * BOARD_ELEMENTS_MAX}
    where room_id = ${roomId}`.execute(app.database);
}

const queriesFor = (pattern: RegExp, site = app) =>
  site.queries.splice(0).filter((text) => pattern.test(text)).length;
const elementQueries = () => queriesFor(/(?:from|join) board_element/u);

describe('a board that many read', () => {
  it('is read once for all concurrent requests', async () => {
    const one = await drawer();
    const readers = await Promise.all(Array.from({ length: 18 }, () => drawer(one.roomId)));
    await fill(one);
    app.queries.splice(0);
    const answers = await Promise.all([one, ...readers].map((reader) => read(reader)));
    expect(elementQueries()).toBeLessThanOrEqual(2);
    const [first] = answers;
    expect(first?.json().elements).toHaveLength(BOARD_ELEMENTS_MAX);
    expect(first?.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(Number(first?.headers['content-length'])).toBe(first?.rawPayload.length);
    for (const { payload } of answers) expect(payload).toBe(first?.payload);
  });

  it('is as new as the last receipt for each of them', async () => {
    const [one, other] = [await drawer(), await drawer()];
    const rectangle = newRectangle();
    await one.draw(rectangle);
    expect(await idsOf(other)).toEqual([rectangle.id]);
    const second = newRectangle();
    await one.draw(second, changed(rectangle, { x: 3 }));
    expect((await idsOf(other)).toSorted()).toEqual([second.id, rectangle.id].toSorted());
    const position = { generation: String(one.generation), since: '1' };
    await one.draw(changed(second, { isDeleted: true }));
    expect(await idsOf(other)).toEqual([rectangle.id]);
    expect((await read(other, position)).json()).toMatchObject({
      number: 3,
      isWhole: false,
      elements: [
        { id: rectangle.id, x: 3 },
        { id: second.id, isDeleted: true },
      ],
    });
    expect(await idsOf(other, { ...position, since: '3' })).toEqual([]);
  });

  it('shows a learner with a block only their part, and the others all of it', async () => {
    const [one, other, third] = [await drawer(), await drawer(), await drawer()];
    const [mine, theirs] = [newRectangle(), newRectangle()];
    await one.draw(mine);
    await other.draw(theirs);
    expect(await idsOf(third)).toEqual([mine.id, theirs.id]);
    await app.inject({
      method: blockUser.method,
      url: blockUser.path.replace(':blockedId', String(other.learner.userId)),
      headers: one.learner.headers,
    });
    expect(await idsOf(one)).toEqual([mine.id]);
    expect(await idsOf(other)).toEqual([theirs.id]);
    expect(await idsOf(third)).toEqual([mine.id, theirs.id]);
  });

  it('that was replaced is read anew', async () => {
    const one = await drawer();
    await one.draw(newRectangle());
    expect(await idsOf(one)).toHaveLength(1);
    await sql`delete from board_element`.execute(app.database);
    await sql`
      update board set generation = nextval('board_generation'), number = number + 1,
                       purged_number = number + 1`.execute(app.database);
    expect(await idsOf(one)).toEqual([]);
  });
});

describe('a learner with many requests for a full board', () => {
  it('opens it twelve times a minute, then waits, while neighbours read it', async () => {
    const limited = await createTestApp({ besides: app, env: { RATE_LIMIT_SCALE: '1' } });
    try {
      const one = await drawer();
      const neighbours = await Promise.all(Array.from({ length: 19 }, () => drawer(one.roomId)));
      await fill(one);
      const readings = async (reader: Drawer, count: number) => {
        const answers = [];
        for (let reading = 0; reading < count; reading += 1) {
          answers.push(await read(reader, {}, limited));
        }
        return answers;
      };
      const answers = await readings(one, 20);
      const refused = answers.filter(({ statusCode }) => statusCode === 429);
      expect(answers.slice(0, 12).map(({ statusCode }) => statusCode)).toEqual(
        new Array(12).fill(200),
      );
      expect(refused.length).toBeGreaterThanOrEqual(7);
      expect(refused[0]?.json()).toMatchObject({ error: 'tooManyRequests' });
      const waitSeconds = Number(refused[0]?.headers['retry-after']);
      expect(waitSeconds).toBeGreaterThan(0);
      expect(waitSeconds).toBeLessThanOrEqual(boardReading.windowMs / 1_000);
      // A reply without changes counts nothing.
      const known = { generation: String(one.generation), since: String(BOARD_ELEMENTS_MAX) };
      expect((await read(one, known, limited)).statusCode).toBe(200);
      // Six of them use up the room's limit, and the others still open the board.
      const [last, ...readers] = neighbours;
      await Promise.all(readers.slice(0, 6).map((reader) => readings(reader, 12)));
      const all = await Promise.all(readers.slice(6, 8).map((reader) => readings(reader, 4)));
      for (const four of all) {
        expect(four.map(({ statusCode }) => statusCode)).toEqual([
          200,
          200,
          expect.any(Number),
          429,
        ]);
      }
      expect((await read(last as Drawer, {}, limited)).statusCode).toBe(200);
      const refusedReader = readers[8] as Drawer;
      const many = await readings(refusedReader, 16);
      expect(many.filter(({ statusCode }) => statusCode === 200).length).toBeLessThanOrEqual(3);
      // A refusal by the room's limit does not count against the learner: they can read another room's board.
      const elsewhere = await drawer(await app.openRoom());
      await fill(elsewhere);
      await app.leave(refusedReader.learner);
      await app.seat(refusedReader.learner, elsewhere.roomId);
      const reader = { learner: refusedReader.learner, roomId: elsewhere.roomId };
      expect((await read(reader, {}, limited)).statusCode).toBe(200);
    } finally {
      await limited.close();
    }
  }, 60_000);
});
