import {
  addBoardImage,
  BOARD_COPIES_MAX,
  type BoardElement,
  blockUser,
  type RoomId,
  type RouteDefinition,
} from '@mogakgong/contract';
import { unzipSync } from 'fflate';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { routes } from '../../../test/contract-routes.ts';
import { type Drawer, newRectangle, newText, openBoard } from '../../../test/drawings.ts';
import { formOf } from '../../../test/form.ts';
import { newJpeg } from '../../../test/pictures.ts';
import type { Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';

const HOUR_MS = 60 * 60_000;

interface Copy {
  readonly id: number;
  readonly name: string;
  readonly copiedAt: string;
  readonly elements: number;
}

const { app, clients } = await openTestSite({
  emptied: ['seat', 'study_room', 'board', 'board_copy', 'board_picture', 'block'],
});

async function drawer(roomId?: RoomId): Promise<Drawer> {
  const learner = await app.newLearner();
  const room = await app.seat(learner, roomId);
  return openBoard(learner, await clients.connectAs(app, learner), room);
}

function call(
  { method, path }: RouteDefinition,
  { headers }: Pick<Learner, 'headers'>,
  params: Readonly<Record<string, unknown>> = {},
) {
  const url = path.replace(/:(\w+)/gu, (_, name) => String(params[name]));
  return app.inject({ method, url, headers });
}
const copy = ({ learner, roomId }: Drawer) => call(routes.copyBoard, learner, { roomId });
const list = async (learner: Learner) =>
  (await call(routes.getBoardCopies, learner)).json<{ copies: Copy[] }>().copies;
const get = (learner: Learner, copyId: number) => call(routes.getBoardCopy, learner, { copyId });
const remove = (learner: Learner, copyId: number) =>
  call(routes.deleteBoardCopy, learner, { copyId });
const getImage = (learner: Learner, copyId: number, imageId: string) =>
  call(routes.getBoardCopyImage, learner, { copyId, imageId });

async function addImage({ learner, roomId }: Drawer): Promise<string> {
  const form = await formOf([{ field: 'image', bytes: await newJpeg() }]);
  const added = await app.inject({
    method: addBoardImage.method,
    url: addBoardImage.path.replace(':roomId', String(roomId)),
    payload: form.payload,
    headers: { ...learner.headers, ...form.headers },
  });
  return added.json<{ imageId: string }>().imageId;
}
const newImage = (fileId: string) =>
  newRectangle({ type: 'image', fileId, status: 'saved', scale: [1, 1], crop: null });

describe('a copy of a board', () => {
  it('keeps the board of that moment, does not name its authors, and stays when the room is gone', async () => {
    const [one, other] = [await drawer(), await drawer()];
    const [mine, theirs] = [newRectangle(), newText('요약')];
    await one.draw(mine);
    await other.draw(theirs);
    const kept = (await copy(one)).json<Copy>();
    expect(kept).toEqual({
      ...{ id: expect.any(Number), name: '', elements: 2 },
      copiedAt: app.clock.now().toISOString(),
    });
    await one.draw(newRectangle());
    await app.leave(one.learner);
    await app.leave(other.learner);
    expect(await list(one.learner)).toEqual([kept]);
    const { copy: copied, elements } = (await get(one.learner, kept.id)).json();
    expect(copied).toEqual(kept);
    expect(elements).toEqual([mine, theirs]);
    expect(await list(other.learner)).toEqual([]);
  });

  it('has the name of a hosted room', async () => {
    const host = await app.newLearner();
    const roomId = await app.openHostedRoom(host, { name: 'TOEIC 900' });
    await app.seat(host, roomId);
    const copied = await call(routes.copyBoard, host, { roomId });
    expect(copied.json()).toMatchObject({ name: 'TOEIC 900', elements: 0 });
  });

  it('has no elements of learners hidden from its owner by a block', async () => {
    const [one, other] = [await drawer(), await drawer()];
    const mine = newRectangle();
    await one.draw(mine);
    await other.draw(newText('욕설'), newImage(await addImage(other)));
    await call(blockUser, one.learner, { blockedId: other.learner.userId });
    const { id, elements } = (await copy(one)).json<Copy>();
    expect(elements).toBe(1);
    const content: BoardElement[] = (await get(one.learner, id)).json().elements;
    expect(content).toEqual([mine]);
    const { rows } = await sql`select from board_copy_image`.execute(app.database);
    expect(rows).toEqual([]);
  });

  it('has the pictures of its elements, until it is deleted', async () => {
    const [one, other] = [await drawer(), await drawer()];
    const [drawn, notDrawn] = [await addImage(one), await addImage(one)];
    await other.draw(newImage(drawn));
    const { id } = (await copy(one)).json<Copy>();
    await sql`delete from board`.execute(app.database);
    const unused = async () => {
      app.clock.advance(HOUR_MS + 1);
      await app.runJob('unused board pictures');
      return (await sql`select from board_picture`.execute(app.database)).rows.length;
    };
    expect(await unused()).toBe(1);
    const owner = await app.renew(one.learner);
    const picture = await getImage(owner, id, drawn);
    expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/webp']);
    expect((await getImage(owner, id, notDrawn)).statusCode).toBe(404);
    expect((await getImage(await app.renew(other.learner), id, drawn)).statusCode).toBe(404);
    expect((await remove(owner, id)).statusCode).toBe(200);
    expect((await getImage(owner, id, drawn)).statusCode).toBe(404);
    expect(await unused()).toBe(0);
  });

  it('belongs to its owner alone and can be deleted', async () => {
    const [one, other] = [await drawer(), await drawer()];
    const { id } = (await copy(one)).json<Copy>();
    expect((await get(other.learner, id)).json().error).toBe('notFound');
    expect((await remove(other.learner, id)).json().error).toBe('notFound');
    expect(await list(one.learner)).toHaveLength(1);
    expect((await remove(one.learner, id)).json()).toEqual({});
    expect(await list(one.learner)).toEqual([]);
    expect((await remove(one.learner, id)).statusCode).toBe(404);
  });

  it('is made only in one’s own room', async () => {
    const one = await drawer();
    const stranger = await drawer(await app.openRoom());
    const refused = await copy({ ...stranger, roomId: one.roomId });
    expect(refused.json().error).toBe('notInThisRoom');
  });

  it('is one of twenty at most, also when several are made at once', async () => {
    const one = await drawer();
    await sql`
      insert into board_copy (owner_id, name, copied_at, elements, element_count)
      select ${one.learner.userId}, '', now(), '[]', 0
      from generate_series(2, ${BOARD_COPIES_MAX}::integer)`.execute(app.database);
    const answers = await Promise.all([copy(one), copy(one), copy(one)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409]);
    expect((await copy(one)).json().error).toBe('tooManyBoardCopies');
    expect(await list(one.learner)).toHaveLength(BOARD_COPIES_MAX);
  });

  it('is in the export of its owner, with its pictures, and nothing is left of it after the account', async () => {
    const one = await drawer();
    const picture = await addImage(one);
    await one.draw(newText('요약'), newImage(picture));
    await copy(one);
    const exported = await call(routes.exportOwnData, one.learner);
    const files = unzipSync(new Uint8Array(exported.rawPayload));
    const [exportedCopy] = JSON.parse(Buffer.from(files['board-copies.json'] ?? []).toString());
    // Elements that changed together have no defined order.
    const drawn = [{ text: '요약' }, { fileId: picture }].map((part) =>
      expect.objectContaining(part),
    );
    expect(new Set(exportedCopy.elements)).toEqual(new Set(drawn));
    const bytes = Buffer.from(files[`board-pictures/${picture}.webp`] ?? []);
    expect(bytes.subarray(8, 12).toString()).toBe('WEBP');

    await sql`delete from board`.execute(app.database);
    await sql`delete from users where id = ${one.learner.userId}`.execute(app.database);
    app.clock.advance(HOUR_MS + 1);
    await app.runJob('unused board pictures');
    for (const table of ['board_copy', 'board_copy_image', 'board_picture']) {
      const { rows } = await sql`select from ${sql.table(table)}`.execute(app.database);
      expect(rows).toEqual([]);
    }
  });
});
