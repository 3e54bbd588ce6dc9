import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  changeProfileImage,
  type ErrorName,
  errors,
  getProfile,
  HOUR_MS,
  IMAGE_MAX_BYTES,
  IMAGE_SIDE_PX,
  uploadImage,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import sharp from 'sharp';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { formOf } from '../../../test/form.ts';
import { openTinyDisk } from '../../../test/full-disk.ts';
import { newJpeg, plain } from '../../../test/pictures.ts';
import { createTestApp, type Learner } from '../../../test/test-app.ts';
import { openTestSite } from '../../../test/test-site.ts';
import { createDiskStore } from './image-store.ts';
import { createImagesRepository } from './images.repository.ts';
import { createImagesService } from './images.service.ts';

let learner: Learner;
const { app, clients } = await openTestSite({ emptied: ['seat', 'study_room', 'image'] });
beforeEach(async () => {
  learner = await app.renew(await app.newLearner());
});

const send = async (files: Parameters<typeof formOf>[0], { on = app, by = learner } = {}) => {
  const { payload, headers } = await formOf(files);
  return on.inject({
    method: uploadImage.method,
    url: uploadImage.path,
    payload,
    headers: { ...headers, ...by.headers },
  });
};

const upload = async (bytes: Uint8Array): Promise<string> =>
  (await send([{ bytes }])).json<{ imageUrl: string }>().imageUrl;

const choose = (newProfileImage: string, by = learner) =>
  app.inject({
    method: changeProfileImage.method,
    url: changeProfileImage.path,
    payload: { newProfileImage },
    headers: by.headers,
  });

const pictureOf = async ({ headers }: Learner) =>
  (await app.inject({ url: getProfile.path, headers })).json<{ profileImage: string }>()
    .profileImage;

const refusal = (name: ErrorName) => [
  errors[name].status,
  { message: errors[name].ko, error: name, errorCode: errors[name].code },
];

describe('an uploaded picture', () => {
  it('is answered with its address, and served as a square WebP that never changes', async () => {
    const answer = await send([{ bytes: await plain(640, 480).jpeg().toBuffer() }]);
    expect(answer.statusCode).toBe(200);
    const { imageUrl } = answer.json();
    expect(imageUrl).toMatch(/^\/files\/images\/[0-9a-f]{64}\.webp$/u);
    const served = await app.inject(imageUrl);
    expect(served.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-disposition': 'inline',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(await sharp(served.rawPayload).metadata()).toMatchObject({
      format: 'webp',
      width: IMAGE_SIDE_PX,
      height: IMAGE_SIDE_PX,
    });
    const known = { 'if-none-match': String(served.headers.etag) };
    const again = await app.inject({ url: imageUrl, headers: known });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });

  it('may have 5 MB', async () => {
    const side = 1_300;
    const raw = { width: side, height: side, channels: 3 } as const;
    const noise = sharp(randomBytes(side * side * 3), { raw }).png({ compressionLevel: 0 });
    const bytes = await noise.toBuffer();
    expect(bytes.length / IMAGE_MAX_BYTES).toBeGreaterThan(0.95);
    expect((await send([{ bytes }])).statusCode).toBe(200);
  });

  it('waits for none of the large pictures of others', async () => {
    const large = await plain(4_900, 4_900).webp({ lossless: true }).toBuffer();
    expect(large.length).toBeLessThan(10_000);
    const others = await Promise.all([1, 2, 3, 4].map(() => app.newLearner()));
    const done: string[] = [];
    const sending = others.map(async (by) => {
      expect((await send([{ bytes: large }], { by })).statusCode).toBe(200);
      done.push('large');
    });
    await Promise.race(sending);
    expect((await send([{ bytes: await newJpeg() }])).statusCode).toBe(200);
    done.push('small');
    await Promise.all(sending);
    expect(done.indexOf('small')).toBeLessThan(3);
  });

  it('that does not fit on the disk any more is answered 503, and leaves no part of it', async (test) => {
    using disk = openTinyDisk();
    if (disk === null) return test.skip();
    const full = await createTestApp({ env: { IMAGES_DIR: disk.folder }, besides: app });
    try {
      const side = IMAGE_SIDE_PX;
      const raw = { width: side, height: side, channels: 3 } as const;
      const noise = await sharp(randomBytes(side * side * 3), { raw })
        .png()
        .toBuffer();
      const answer = await send([{ bytes: noise }], { on: full });
      expect([answer.statusCode, answer.json()]).toEqual(refusal('unavailable'));
      expect(await readdir(disk.folder, { recursive: true })).toEqual(['unfinished']);
    } finally {
      await full.close();
    }
  });

  it('has one address however often and by whomever it is uploaded', async () => {
    const bytes = await newJpeg();
    const others = await Promise.all([1, 2, 3].map(() => app.newLearner()));
    const answers = await Promise.all(others.map((by) => send([{ bytes }], { by })));
    const addresses = answers.map((answer) => answer.json<{ imageUrl: string }>().imageUrl);
    expect(new Set([await upload(bytes), ...addresses]).size).toBe(1);
  });

  it('is known by its content, whatever a client calls it', async () => {
    const bytes = await newJpeg();
    const called = { type: 'image/svg+xml', name: '../../a.html' };
    const answer = await send([{ bytes, ...called }]);
    expect(answer.json()).toEqual({ imageUrl: await upload(bytes) });
    const text = { bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') };
    expect((await send([{ ...text, type: 'image/png', name: 'a.png' }])).statusCode).toBe(415);
  });

  it.each(['0'.repeat(64), 'x', '..%2f..%2fauth-secret', '%00'])('%s is none', async (name) => {
    const answer = await app.inject(`/files/images/${name}`);
    expect([answer.statusCode, answer.json()]).toEqual(refusal('notFound'));
  });
});

it('no file beside the folder of pictures is served', async () => {
  const name = `${'1'.repeat(64)}.webp`;
  await writeFile(path.join(app.env.IMAGES_DIR, '..', name), 'a secret');
  for (const address of [
    `..%2f${name}`,
    `unfinished%2f..%2f..%2f${name}`,
    `${name}/..%2f${name}`,
  ]) {
    expect((await app.inject(`/files/images/${address}`)).statusCode).toBe(404);
  }
});

describe('an upload is refused', () => {
  it.each<[string, (bytes: Buffer) => readonly Parameters<typeof formOf>[0][number][], ErrorName]>([
    ['without a file', () => [], 'invalidRequest'],
    ['with an empty file', () => [{ bytes: Buffer.alloc(0) }], 'invalidRequest'],
    ['in another field', (bytes) => [{ bytes, field: 'file' }], 'invalidRequest'],
    ['with two files', (bytes) => [{ bytes }, { bytes }], 'invalidRequest'],
    ['above 5 MB', () => [{ bytes: Buffer.alloc(IMAGE_MAX_BYTES + 1) }], 'tooLarge'],
    ['with a text', () => [{ bytes: Buffer.from('hello, I am a picture') }], 'imageUnsupported'],
  ])('%s', async (_what, filesOf, error) => {
    const answer = await send(filesOf(await newJpeg()));
    expect([answer.statusCode, answer.json()]).toEqual(refusal(error));
    expect(await storedCount()).toBe(0);
  });

  it('above 5 MB also while a client is still sending, which gets the answer', async () => {
    const { port } = app.http.fastify.server.address() as AddressInfo;
    const form = new FormData();
    form.append('imageFile', new File([new Uint8Array(6 * IMAGE_MAX_BYTES)], 'a.jpg'));
    const { method, path: address } = uploadImage;
    const answer = await fetch(`http://127.0.0.1:${port}${address}`, {
      method,
      headers: learner.headers,
      body: form,
    });
    expect([answer.status, await answer.json()]).toEqual(refusal('tooLarge'));
  });

  it('as anything but a form', async () => {
    for (const [contentType, payload] of [
      ['application/json', '{"imageFile":"x"}'],
      ['image/jpeg', 'x'],
    ] as const) {
      const headers = { ...learner.headers, 'content-type': contentType };
      const answer = await app.inject({
        method: uploadImage.method,
        url: uploadImage.path,
        payload,
        headers,
      });
      expect([answer.statusCode, answer.json()]).toEqual(refusal('unsupportedMediaType'));
    }
  });

  it('when the form ends in its middle', async () => {
    const { payload, headers } = await formOf([{ bytes: await newJpeg() }]);
    const answer = await app.inject({
      method: uploadImage.method,
      url: uploadImage.path,
      payload: payload.subarray(0, payload.length - 60),
      headers: { ...headers, ...learner.headers },
    });
    expect([answer.statusCode, answer.json()]).toEqual(refusal('invalidRequest'));
  });

  it('after ten in an hour, each learner by themselves', async () => {
    const limited = await createTestApp({ env: { RATE_LIMIT_SCALE: '1' }, besides: app });
    const other = await app.renew(await app.newLearner());
    // Without a file: every upload counts, and a decoder's process for each would take seconds.
    const { status } = errors.invalidRequest;
    for (let count = 0; count < 10; count += 1) {
      expect((await send([], { on: limited })).statusCode).toBe(status);
    }
    const answer = await send([], { on: limited });
    expect([answer.statusCode, Number(answer.headers['retry-after'])]).toEqual([
      429,
      expect.closeTo(3_600, -2),
    ]);
    expect((await send([], { on: limited, by: other })).statusCode).toBe(status);
    await limited.close();
  });

  it('while a process works on eight, and nothing is lost by that', async () => {
    const bytes = await newJpeg();
    const learners = await Promise.all(Array.from({ length: 12 }, () => app.newLearner()));
    const answers = await Promise.all(learners.map((by) => send([{ bytes }], { by })));
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.filter((status) => status === 200)).toHaveLength(8);
    expect(statuses.filter((status) => status === 503)).toHaveLength(4);
    expect((await send([{ bytes }])).statusCode).toBe(200);
  });

  /** Begins so many forms of a learner, which never end; statuses and waits of refused ones are added. */
  function beginForms(by: Learner, count: number, refusals: unknown[] = []) {
    const { port } = app.http.fastify.server.address() as AddressInfo;
    const { method, path: address } = uploadImage;
    const headers = {
      ...by.headers,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': IMAGE_MAX_BYTES,
    };
    return Array.from({ length: count }, () => {
      const form = request({ port, method, path: address, headers });
      form.on('response', ({ statusCode, headers }) =>
        refusals.push([statusCode, headers['retry-after']]),
      );
      // Of refused ones, and at the end of the test.
      form.on('error', () => undefined);
      form.write('--b\r\ncontent-disposition: form-data; name="imageFile"; filename="a"\r\n\r\n');
      return form;
    });
  }

  it('while two of the same learner are under way, however slowly; others upload', async () => {
    const bytes = await newJpeg();
    const [slow, other] = [await app.newLearner(), await app.newLearner()];
    const refusals: unknown[] = [];
    const unfinished = beginForms(slow, 8, refusals);
    try {
      await vi.waitFor(() => expect(refusals).toEqual(new Array(6).fill([429, '1'])));
      expect((await send([{ bytes }], { by: other })).statusCode).toBe(200);
    } finally {
      for (const form of unfinished) form.destroy();
    }
    await vi.waitFor(async () => {
      expect((await send([{ bytes }], { by: slow })).statusCode).toBe(200);
    });
  });

  it('while it is the second of a learner and half of all are under way', async () => {
    const learners = await Promise.all(Array.from({ length: 4 }, () => app.newLearner()));
    const refusals: unknown[] = [];
    const unfinished = learners.flatMap((by) => beginForms(by, 2, refusals));
    try {
      // As they arrive, none or two of them have a second one before half of all are taken.
      await vi.waitFor(() => expect(refusals.length).toBeGreaterThanOrEqual(2));
      expect(new Set(refusals.map(String))).toEqual(new Set(['429,1']));
      const uploaded = await send([{ bytes: await newJpeg() }], { by: await app.newLearner() });
      expect(uploaded.statusCode).toBe(200);
    } finally {
      for (const form of unfinished) form.destroy();
    }
  });

  it('for 3 s while the forms of others never end', async () => {
    const bytes = await newJpeg();
    const learners = await Promise.all(Array.from({ length: 10 }, () => app.newLearner()));
    const refusals: unknown[] = [];
    const unfinished = learners.flatMap((by) => beginForms(by, 1, refusals));
    try {
      await vi.waitFor(() => expect(refusals).toEqual(new Array(2).fill([503, '1'])));
      expect((await send([{ bytes }])).statusCode).toBe(503);
      await vi.waitFor(async () => expect((await send([{ bytes }])).statusCode).toBe(200), {
        timeout: 8_000,
      });
    } finally {
      for (const form of unfinished) form.destroy();
    }
  });
});

it('a form of many parts is refused, and the rest of it is not parsed', async () => {
  const { port } = app.http.fastify.server.address() as AddressInfo;
  const begun = process.cpuUsage();
  const form = request({
    port,
    method: uploadImage.method,
    path: uploadImage.path,
    headers: {
      ...learner.headers,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': IMAGE_MAX_BYTES,
    },
  });
  form.end(Buffer.alloc(IMAGE_MAX_BYTES, '\r\n--b'));
  const [answer] = await once(form, 'response');
  expect(answer.statusCode).toBe(400);
  answer.resume();
  await once(form, 'close');
  const { user, system } = process.cpuUsage(begun);
  // A million parts take ten seconds of processor time.
  expect((user + system) / 1_000).toBeLessThan(1_500);
});

it('a form is no body of any other route', async () => {
  const { payload, headers } = await formOf([{ bytes: await newJpeg() }]);
  const answer = await app.inject({
    method: changeProfileImage.method,
    url: changeProfileImage.path,
    payload,
    headers: { ...headers, ...learner.headers },
  });
  expect([answer.statusCode, answer.json()]).toEqual(refusal('unsupportedMediaType'));
});

describe('a chosen picture', () => {
  it('is on the profile and reaches everybody in the room', async () => {
    const host = await app.renew(await app.newLearner());
    await app.seat(host);
    await app.seat(learner);
    const client = await clients.connectAs(app, host);
    const received = await client.subscribe('/topic/presence');
    const address = await upload(await newJpeg());
    const answer = await choose(address);
    expect([answer.statusCode, answer.json()]).toEqual([200, { profileImage: address }]);
    expect(await pictureOf(learner)).toBe(address);
    await vi.waitFor(() =>
      expect(received.at(-1)?.body).toMatchObject({
        change: { type: 'updated', member: { userId: learner.userId, profileImage: address } },
      }),
    );
    const { length } = received;
    await choose(address);
    await choose('default.jpg');
    await vi.waitFor(() =>
      expect(received.at(-1)?.body.change.member.profileImage).toBe('default.jpg'),
    );
    expect(received).toHaveLength(length + 1);
  });

  it('may be named as a client has it: behind the host, or as a relative path', async () => {
    const address = await upload(await newJpeg());
    for (const given of [`https://api.example.org${address}`, address.slice(1)]) {
      await choose('default.jpg');
      expect((await choose(given)).json()).toEqual({ profileImage: address });
    }
  });

  it.each([
    `/files/images/${'0'.repeat(64)}.webp`,
    'https://example.org/picture.webp',
    '/files/images/../../auth-secret',
    `/files/images/${'0'.repeat(64)}.webp/files/images/x`,
    'javascript:alert(1)',
    '',
  ])('is one that is stored, not %j', async (address) => {
    const answer = await choose(address);
    expect([answer.statusCode, answer.json()]).toEqual(refusal('imageNotFound'));
    expect(await pictureOf(learner)).toBe('default.jpg');
  });

  it('is changed in one query', async () => {
    const address = await upload(await newJpeg());
    app.queries.splice(0);
    await choose(address);
    expect(app.queries.filter((text) => /image|users/u.test(text))).toHaveLength(1);
  });
});

const storedCount = async () => {
  const { rows } = await sql`select from image`.execute(app.database);
  return rows.length;
};
/** Pictures in a separate folder, removed through `onRemove`; uploads are stored unchanged. */
async function openPictures(
  onRemove: (name: string, remove: (name: string) => Promise<void>) => Promise<void>,
) {
  await app.empty('image');
  const folder = await mkdtemp(path.join(tmpdir(), 'mogakgong-images-'));
  const disk = createDiskStore(folder);
  const images = createImagesService({
    repository: createImagesRepository(app.database),
    store: {
      ...disk,
      remove: (name) => onRemove(name, disk.remove),
      // Files have the time of the computer: by the clock of the test, uploads under way are old.
      removeUnfinished: async () => undefined,
    },
    reEncode: async (_userId, upload) => Buffer.from(upload),
    rooms: { publish: () => undefined },
    clock: app.clock,
  });
  return { images, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

const isServed = async (address: string) => (await app.inject(address)).statusCode === 200;

describe('a picture that nobody has', () => {
  it('is deleted an hour after it was used last, file and all; others stay', async () => {
    const first = await upload(await newJpeg());
    const second = await upload(await newJpeg());
    const never = await upload(await newJpeg());
    await choose(first);
    await choose(second);
    await app.runJob('unused pictures');
    expect(await Promise.all([first, second, never].map(isServed))).toEqual([true, true, true]);
    app.clock.advance(HOUR_MS);
    await app.runJob('unused pictures');
    expect(await isServed(first)).toBe(true);
    app.clock.advance(1);
    await app.runJob('unused pictures');
    expect(await Promise.all([first, second, never].map(isServed))).toEqual([false, true, false]);
    expect(await storedCount()).toBe(1);
    expect((await choose(first, await app.renew(learner))).statusCode).toBe(404);
  });

  it('stays for another hour when it is uploaded again', async () => {
    const bytes = await newJpeg();
    const address = await upload(bytes);
    app.clock.advance(HOUR_MS);
    learner = await app.renew(learner);
    await upload(bytes);
    app.clock.advance(HOUR_MS);
    await app.runJob('unused pictures');
    expect(await isServed(address)).toBe(true);
  });

  it('goes with the account that had it', async () => {
    const address = await upload(await newJpeg());
    await choose(address);
    await sql`delete from users where id = ${learner.userId}`.execute(app.database);
    app.clock.advance(HOUR_MS + 1);
    await app.runJob('unused pictures');
    expect(await isServed(address)).toBe(false);
  });

  it('leaves nothing of an upload by a killed process', async () => {
    const folder = path.join(app.env.IMAGES_DIR, 'unfinished');
    await upload(await newJpeg());
    for (const [name, ageMs] of [
      ['old', 2 * HOUR_MS],
      ['recent', 0],
    ] as const) {
      const file = path.join(folder, name);
      await writeFile(file, 'half a picture');
      const writtenAt = new Date(app.clock.now().getTime() - ageMs);
      await utimes(file, writtenAt, writtenAt);
    }
    await app.runJob('unused pictures');
    expect(await readdir(folder)).toEqual(['recent']);
  });

  it('is stored again when it is uploaded while it is being deleted, which holds no connection', async () => {
    const [removing, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await using site = await openPictures(async (name, remove) => {
      removing.resolve();
      await gate.promise;
      await remove(name);
    });
    const bytes = await newJpeg();
    const address = await site.images.upload(learner.userId, bytes);
    app.clock.advance(HOUR_MS + 1);
    const deleting = site.images.deleteUnused();
    await removing.promise;
    const { rows } = await sql`
      select query from pg_stat_activity
      where datname = ${app.databaseName} and xact_start is not null and pid <> pg_backend_pid()`.execute(
      app.database,
    );
    expect(rows).toEqual([]);
    app.queries.length = 0;
    const again = site.images.upload(learner.userId, bytes);
    await vi.waitFor(() => expect(app.queries.join()).toContain('insert into image'));
    gate.resolve();
    await Promise.all([deleting, again]);
    expect(await site.images.find(path.basename(address))).toEqual(bytes);
  });

  it('is deleted by the next run when a process was killed while it removed it, unless it was uploaded again', async () => {
    await using site = await openPictures((name, remove) => remove(name));
    const uploads = [await newJpeg(), await newJpeg()];
    const [killed, taken] = [
      await site.images.upload(learner.userId, uploads[0] as Buffer),
      await site.images.upload(learner.userId, uploads[1] as Buffer),
    ];
    app.clock.advance(HOUR_MS + 1);
    const repository = createImagesRepository(app.database);
    expect(await repository.beginRemovals(app.clock.now(), 10)).toHaveLength(2);
    await site.images.deleteUnused();
    expect(await storedCount()).toBe(2);
    await sql`update image set removing_since = removing_since - interval '11 s'`.execute(
      app.database,
    );
    await site.images.upload(learner.userId, uploads[1] as Buffer);
    await site.images.deleteUnused();
    const bytesOf = (address: string) => site.images.find(path.basename(address));
    expect([await bytesOf(killed), await bytesOf(taken)]).toEqual([null, uploads[1]]);
    expect(await storedCount()).toBe(1);
  });

  it('keeps none of the others when its bytes cannot be removed, and goes with the next run', async () => {
    let broken = '';
    await using site = await openPictures(async (name, remove) => {
      if (name === broken) throw new Error('a store that is away');
      await remove(name);
    });
    const addresses: string[] = [];
    for (let count = 0; count < 15; count += 1) {
      addresses.push(await site.images.upload(learner.userId, randomBytes(20)));
    }
    broken = path.basename(addresses[0] ?? '');
    app.clock.advance(HOUR_MS + 1);
    await expect(site.images.deleteUnused()).rejects.toThrow('a store that is away');
    expect(await storedCount()).toBe(1);
    expect(await site.images.find(broken)).not.toBeNull();
    await sql`update image set removing_since = removing_since - interval '11 s'`.execute(
      app.database,
    );
    const stillBroken = broken;
    broken = '';
    await site.images.deleteUnused();
    expect([await storedCount(), await site.images.find(stillBroken)]).toEqual([0, null]);
  });

  it('is whole or gone when it is uploaded, chosen and deleted at the same moment', async () => {
    await using site = await openPictures((name, remove) => remove(name));
    for (let round = 0; round < 12; round += 1) {
      const bytes = randomBytes(20);
      const address = await site.images.upload(learner.userId, bytes);
      app.clock.advance(HOUR_MS + 1);
      learner = await app.renew(learner);
      const [, chosen] = await Promise.all([
        site.images.deleteUnused(),
        choose(address),
        round % 2 ? site.images.upload(learner.userId, bytes) : undefined,
      ]);
      const isChosen = (await pictureOf(learner)) === address;
      expect(isChosen).toBe(chosen.statusCode === 200);
      const stored = await site.images.find(path.basename(address));
      if (isChosen || round % 2) expect(stored).toEqual(bytes);
      else expect(stored).toBeNull();
      await choose('default.jpg');
    }
  });
});

it('default.jpg, which accounts begin with, is a small picture of our own', async () => {
  const file = path.resolve(import.meta.dirname, '../../../../web/public/default.jpg');
  const bytes = await readFile(file);
  expect(bytes.length).toBeLessThan(10_000);
  const { format, width, height } = await sharp(bytes).metadata();
  expect([format, width, height]).toEqual(['jpeg', IMAGE_SIDE_PX, IMAGE_SIDE_PX]);
});
