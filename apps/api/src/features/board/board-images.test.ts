import { randomBytes } from 'node:crypto';
import {
  addBoardImage,
  BOARD_IMAGE_MAX_BYTES,
  BOARD_IMAGES_MAX,
  boardPictureReading,
  clearBoard,
  getBoardImage,
  getProfile,
  HOUR_MS,
  type RoomId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import sharp from 'sharp';
import { describe, expect, it, vi } from 'vitest';
import { newDrawer, newRectangle } from '../../../test/drawings.ts';
import { formOf } from '../../../test/form.ts';
import { newJpeg, plain } from '../../../test/pictures.ts';
import { createTestApp, type Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { createBoardImages } from './board-images.ts';

const { app, clients } = await openTestSite({
  emptied: ['seat', 'study_room', 'board', 'board_picture'],
});

async function add({ headers }: Learner, roomId: RoomId, bytes: Uint8Array) {
  const form = await formOf([{ field: 'image', bytes }]);
  return app.inject({
    method: addBoardImage.method,
    url: addBoardImage.path.replace(':roomId', String(roomId)),
    payload: form.payload,
    headers: { ...headers, ...form.headers },
  });
}
const readingOf = ({ headers }: Learner, roomId: RoomId, imageId: string) => ({
  url: getBoardImage.path.replace(':roomId', String(roomId)).replace(':imageId', imageId),
  headers,
});
const get = (learner: Learner, roomId: RoomId, imageId: string, site = app) =>
  site.inject(readingOf(learner, roomId, imageId));

/** Adds a new picture; returns its id. */
async function addNew(learner: Learner, roomId: RoomId): Promise<string> {
  return (await add(learner, roomId, await newJpeg())).json<{ imageId: string }>().imageId;
}

async function seated(roomId?: RoomId): Promise<{ learner: Learner; roomId: RoomId }> {
  const learner = await app.newLearner();
  return { learner, roomId: await app.seat(learner, roomId) };
}

const newImage = (fileId: string) =>
  newRectangle({ type: 'image', fileId, status: 'saved', scale: [1, 1], crop: null });

/** Puts `count` pictures of `bytes` bytes each on the board; returns their ids. */
async function illustrate(
  learner: Learner,
  roomId: RoomId,
  { count, bytes }: { readonly count: number; readonly bytes: number },
): Promise<string[]> {
  await addNew(learner, roomId);
  const ids = Array.from({ length: count }, () => randomBytes(32).toString('hex'));
  const image = Buffer.alloc(bytes, 'x');
  await sql`delete from board_image`.execute(app.database);
  await sql`
    insert into board_picture (id, image, added_at)
    select id, ${image}, now() from unnest(${ids}::text[]) as id`.execute(app.database);
  await sql`
    insert into board_image (room_id, epoch, picture_id, used_at)
    select room_id, epoch, id, now() from board cross join unnest(${ids}::text[]) as id
    where room_id = ${roomId}`.execute(app.database);
  return ids;
}

async function storedPictures(): Promise<number> {
  return (await sql`select from board_picture`.execute(app.database)).rows.length;
}

describe('a picture', () => {
  it('is stored as a WebP that is small enough, and seen by learners in the room', async () => {
    const { learner, roomId } = await seated();
    const other = await seated(roomId);
    // Too large as it is, though not by much: a busy machine must encode it before the decoder's deadline.
    const size = { width: 1_680, height: 1_120, channels: 3 } as const;
    const noise = await sharp(randomBytes(size.width * size.height * size.channels), { raw: size })
      .jpeg({ quality: 60 })
      .toBuffer();
    const added = await add(learner, roomId, noise);
    expect(added.statusCode).toBe(200);
    const { imageId } = added.json<{ imageId: string }>();
    const got = await get(other.learner, roomId, imageId);
    expect(got.headers['content-type']).toBe('image/webp');
    expect(got.rawPayload.length).toBeLessThanOrEqual(BOARD_IMAGE_MAX_BYTES);
    const { format, width = 0, height = 0, exif } = await sharp(got.rawPayload).metadata();
    expect({ format, exif }).toEqual({ format: 'webp', exif: undefined });
    expect(width / height).toBeCloseTo(1.5, 2);
    expect(width).toBeGreaterThanOrEqual(768);
    expect(width).toBeLessThan(size.width);
  });

  it('is kept in its size where that is small enough', async () => {
    const { learner, roomId } = await seated();
    const added = await add(learner, roomId, await plain(300, 200).png().toBuffer());
    const got = await get(learner, roomId, added.json().imageId);
    expect(await sharp(got.rawPayload).metadata()).toMatchObject({ width: 300, height: 200 });
  });

  it('that cannot be made small enough is decoded twice at most', async () => {
    const sides: number[] = [];
    const images = createBoardImages({
      boards: { ownBoard: async () => ({}) },
      sanctions: { inForce: { refuseMuted: () => undefined } },
      images: {
        reEncode: async (_userId: number, _file: Uint8Array, { widthPx }: { widthPx: number }) => {
          sides.push(widthPx);
          return Buffer.alloc(2 * widthPx ** 2);
        },
      },
      repository: {},
    } as never);
    const added = images.add(1 as never, 1 as never, Buffer.alloc(1));
    await expect(added).rejects.toMatchObject({ row: 'imageTooManyPixels' });
    expect(sides).toEqual([2_048, 768]);
  });

  it('that is none is refused', async () => {
    const { learner, roomId } = await seated();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    const refused = await add(learner, roomId, svg);
    expect(refused.json().error).toBe('imageUnsupported');
    expect(await storedPictures()).toBe(0);
  });

  it('is shown to nobody else: neither elsewhere, nor from elsewhere, nor later', async () => {
    const { learner, roomId } = await seated();
    const imageId = await addNew(learner, roomId);
    const elsewhere = await seated(await app.openRoom());
    expect((await get(elsewhere.learner, roomId, imageId)).json().error).toBe('notInThisRoom');
    expect((await get(elsewhere.learner, elsewhere.roomId, imageId)).statusCode).toBe(404);
    expect((await add(elsewhere.learner, roomId, await newJpeg())).json().error).toBe(
      'notInThisRoom',
    );
    await app.leave(learner);
    expect((await get(learner, roomId, imageId)).json().error).toBe('notInThisRoom');
    const later = await seated(roomId);
    expect((await get(later.learner, roomId, imageId)).statusCode).toBe(404);
  });

  it('is one of fifty at most, also when several are added at once; the same one counts once', async () => {
    const { learner, roomId } = await seated();
    const again = await newJpeg();
    await add(learner, roomId, again);
    await sql`
      with picture as (
        insert into board_picture (id, image, added_at)
        select 'picture ' || n, '', now() from generate_series(1, ${BOARD_IMAGES_MAX - 2}::integer) as n
        returning id
      )
      insert into board_image (room_id, epoch, picture_id, used_at)
      select room_id, epoch, picture.id, now() from board cross join picture`.execute(app.database);
    const answers = await Promise.all([addNew, addNew].map((add) => add(learner, roomId)));
    expect(answers.filter((imageId) => imageId !== undefined)).toHaveLength(1);
    const refused = await add(learner, roomId, await newJpeg());
    expect([refused.statusCode, refused.json().error]).toEqual([409, 'boardFull']);
    expect((await add(learner, roomId, again)).statusCode).toBe(200);
  });

  it('of a muted learner is refused', async () => {
    const { learner, roomId } = await seated();
    await sql`
      insert into sanction (user_id, kind, reason, imposed_at, ends_at, changed_at)
      values (${learner.userId}, 'muteChat', 'rudeness', now(), now() + interval '1 day', now())`.execute(
      app.database,
    );
    await app.runJob('sanctions');
    const refused = await add(learner, roomId, await newJpeg());
    expect(refused.json().error).toBe('chatMuted');
  });

  it('is deleted when no element names it any more, on the board or cleared from it', async () => {
    const one = await newDrawer(clients, app);
    const drawn = await addNew(one.learner, one.roomId);
    const unused = await addNew(one.learner, one.roomId);
    await one.draw(newImage(drawn));
    expect(one.client.errors).toEqual([]);
    const run = async () => {
      app.clock.advance(HOUR_MS + 1);
      await app.runJob('unused board pictures');
    };
    const isThere = async (imageId: string) => {
      const { rows } = await sql`select from board_picture where id = ${imageId}`.execute(
        app.database,
      );
      return rows.length === 1;
    };
    await app.runJob('unused board pictures');
    expect([await isThere(drawn), await isThere(unused)]).toEqual([true, true]);
    await run();
    expect([await isThere(drawn), await isThere(unused)]).toEqual([true, false]);

    const renewed = await app.renew(one.learner);
    await app.seat(renewed, one.roomId);
    const cleared = await app.inject({
      method: clearBoard.method,
      url: clearBoard.path.replace(':roomId', String(one.roomId)),
      headers: renewed.headers,
    });
    expect(cleared.statusCode).toBe(200);
    await run();
    await run();
    expect(await isThere(drawn)).toBe(true);
    await sql`delete from cleared_board`.execute(app.database);
    // Its deletion can be undone for an hour.
    await app.runJob('unused board pictures');
    expect(await isThere(drawn)).toBe(true);
    await run();
    expect(await isThere(drawn)).toBe(false);
  });

  it('goes with its board', async () => {
    const { learner, roomId } = await seated();
    await addNew(learner, roomId);
    await sql`delete from board`.execute(app.database);
    app.clock.advance(HOUR_MS + 1);
    await app.runJob('unused board pictures');
    expect(await storedPictures()).toBe(0);
  });
});

describe('pictures that many read', () => {
  it('cost a constant number of statements, none of which writes', async () => {
    const { learner, roomId } = await seated();
    const imageId = await addNew(learner, roomId);
    const readers = [learner, (await seated(roomId)).learner, (await seated(roomId)).learner];
    for (const reader of readers) await get(reader, roomId, 'f'.repeat(64));
    app.queries.splice(0);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => get(readers[index % 3] as Learner, roomId, imageId)),
    );
    const queries = app.queries.splice(0);
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ payload }) => payload)).size).toBe(1);
    expect(queries.length).toBeLessThanOrEqual(6);
    expect(queries.filter((text) => /^\s*(?:insert|update|delete)/u.test(text))).toEqual([]);
    expect(queries.filter((text) => /select id, image/u.test(text))).toHaveLength(1);
  });

  it('leave connections for everybody else while the database delivers none', async () => {
    const small = await createTestApp({ besides: app, databaseOptions: { poolSize: 4 } });
    try {
      const { learner, roomId } = await seated();
      const size = { count: BOARD_IMAGES_MAX, bytes: 1_000 };
      const ids = await illustrate(learner, roomId, size);
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
      const holding = app.database.transaction().execute(async (transaction) => {
        await sql`lock table board_picture in access exclusive mode`.execute(transaction);
        lock();
        await released;
      });
      await locked;
      const reads = ids.map((id) => get(learner, roomId, id, small));
      try {
        await vi.waitFor(async () => {
          const { rows } = await sql`
            select from pg_locks where not granted and relation = 'board_picture'::regclass`.execute(
            app.database,
          );
          expect(rows.length).toBeGreaterThan(0);
        });
        const other = await small.inject({ url: getProfile.path, headers: learner.headers });
        expect(other.statusCode).toBe(200);
      } finally {
        release();
        await holding;
      }
      const answers = await Promise.all(reads);
      expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    } finally {
      await small.close();
    }
  });

  it('are opened three times a minute on a full board by each learner, and then refused for a while', async () => {
    const limited = await createTestApp({ besides: app, env: { RATE_LIMIT_SCALE: '1' } });
    try {
      const { learner, roomId } = await seated();
      const other = await seated(roomId);
      // Cheap: one picture fifty times counts as a full board, and no answer is kept as a string.
      const size = { count: 1, bytes: BOARD_IMAGE_MAX_BYTES };
      const [id] = (await illustrate(learner, roomId, size)) as [string];
      const open = async (reader: Learner, times: number) => {
        const reads = Array.from({ length: times * BOARD_IMAGES_MAX }, async () => {
          const reading = { ...readingOf(reader, roomId, id), payloadAsStream: true };
          const answer = await limited.inject(reading);
          answer.stream().resume();
          return answer.statusCode;
        });
        return new Set(await Promise.all(reads));
      };
      expect(await open(learner, 3)).toEqual(new Set([200]));
      const refused = await get(learner, roomId, id, limited);
      expect(refused.statusCode).toBe(429);
      const waitSeconds = Number(refused.headers['retry-after']);
      expect(waitSeconds).toBeGreaterThan(0);
      expect(waitSeconds).toBeLessThanOrEqual(boardPictureReading.windowMs / 1_000);
      expect(await open(other.learner, 1)).toEqual(new Set([200]));
    } finally {
      await limited.close();
    }
  }, 60_000);
});
