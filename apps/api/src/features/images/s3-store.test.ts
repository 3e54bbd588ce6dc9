import { createHash } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { getProfile, uploadImage } from '@mogakgong/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { formOf } from '../../../test/form.ts';
import { newJpeg } from '../../../test/pictures.ts';
import { S3Double, signatureOf } from '../../../test/s3-double.ts';
import { createTestApp, type Learner, type TestApp } from '../../../test/test-app.ts';
import type { BucketOptions } from '../../platform/object-storage/index.ts';
import { createS3Store } from './s3-store.ts';

const account = {
  region: 'kr-standard',
  bucket: 'study',
  accessKeyId: 'our key',
  secretAccessKey: 'a secret that is never sent',
};
let double: S3Double;
beforeAll(async () => {
  double = await S3Double.start(account);
});
afterEach(() => {
  double.fault = null;
});
afterAll(() => double.close());

const bytes = Buffer.from('the bytes of a picture');
const name = `${createHash('sha256').update(bytes).digest('hex')}.webp`;
const storeWith = (change: Partial<BucketOptions> = {}) =>
  createS3Store({ ...account, endpoint: double.url, ...change });

it('the double signs the example of the Amazon S3 documentation as that does', () => {
  const request = {
    method: 'GET',
    path: '/test.txt',
    query: '',
    headers: {
      host: 'examplebucket.s3.amazonaws.com',
      range: 'bytes=0-9',
      'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      'x-amz-date': '20130524T000000Z',
    },
    signedHeaders: 'host;range;x-amz-content-sha256;x-amz-date',
    bodyHash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  };
  const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
  expect(signatureOf(request, { secretAccessKey, region: 'us-east-1' })).toBe(
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
});

describe('the storage of pictures in S3', () => {
  it('keeps a picture, gives it back and removes it, each as often as it is asked', async () => {
    const store = storeWith({ endpoint: `${double.url}/` });
    expect(await store.get(name)).toBeNull();
    for (const _ of [1, 2]) await store.put(name, bytes);
    expect(double.objects.get(`images/${name}`)).toEqual({ bytes, type: 'image/webp' });
    expect(await store.get(name)).toEqual(bytes);
    for (const _ of [1, 2]) await store.remove(name);
    expect(await store.get(name)).toBeNull();
  });

  it('does not keep what differs from its name', async () => {
    await expect(storeWith().put(name, Buffer.from('half a pict'))).rejects.toThrow(
      '403 XAmzContentSHA256Mismatch',
    );
    expect(double.objects.size).toBe(0);
  });

  it.each<[string, Partial<BucketOptions>]>([
    ['403 SignatureDoesNotMatch', { secretAccessKey: 'another' }],
    ['403 InvalidAccessKeyId', { accessKeyId: 'another' }],
    ['403 AuthorizationHeaderMalformed', { region: 'us-east-1' }],
    ['404 NoSuchBucket', { bucket: 'another' }],
  ])('says %s, and does not take that for a missing picture', async (problem, change) => {
    const store = storeWith(change);
    await expect(store.put(name, bytes)).rejects.toThrow(problem);
    await expect(store.get(name)).rejects.toThrow(problem);
    await expect(store.remove(name)).rejects.toThrow(problem);
  });

  it.each(['failing', 'silent', 'slow', 'broken off', 'redirecting', 'huge'] as const)(
    'fails within the time of a call when the service is, or gives, %s',
    async (fault) => {
      double.fault = fault;
      const startMs = performance.now();
      await expect(storeWith().get(name)).rejects.toThrow();
      expect(performance.now() - startMs).toBeLessThan(9_000);
      expect(double.followed).toBe(0);
    },
  );
});

it.each(['silent', 'slow'] as const)(
  'ends a call of a %s service in time, also after garbage was collected',
  async (fault) => {
    double.fault = fault;
    const asking = storeWith()
      .get(name)
      .catch((error: unknown) => error);
    setFlagsFromString('--expose-gc');
    const collectGarbage: () => void = runInNewContext('gc');
    const everySoOften = setInterval(collectGarbage, 200);
    const startMs = performance.now();
    expect(await asking).toBeInstanceOf(Error);
    clearInterval(everySoOften);
    expect(performance.now() - startMs).toBeLessThan(9_000);
  },
);

describe('a site with S3', () => {
  let app: TestApp;
  let learner: Learner;
  beforeAll(async () => {
    const env = {
      S3_ENDPOINT: double.url,
      S3_REGION: account.region,
      S3_BUCKET: account.bucket,
      S3_ACCESS_KEY_ID: account.accessKeyId,
      S3_SECRET_ACCESS_KEY: account.secretAccessKey,
    };
    app = await createTestApp({ env });
    learner = await app.newLearner();
  });
  afterAll(() => app.close());

  const upload = async () => {
    const form = await formOf([{ bytes: await newJpeg() }]);
    const headers = { ...form.headers, ...learner.headers };
    const { method, path: url } = uploadImage;
    return app.inject({ method, url, headers, payload: form.payload });
  };

  it('keeps uploads there alone, serves them, and deletes those that nobody has', async () => {
    const { imageUrl } = (await upload()).json<{ imageUrl: string }>();
    const [key = '', ...others] = double.objects.keys();
    expect([imageUrl, others]).toEqual([`/files/${key}`, []]);
    const served = await app.inject(imageUrl);
    expect(served.headers['content-type']).toBe('image/webp');
    expect(served.rawPayload).toEqual(double.objects.get(key)?.bytes);
    app.clock.advance(60 * 60_000 + 1);
    await app.runJob('unused pictures');
    expect([double.objects.size, (await app.inject(imageUrl)).statusCode]).toEqual([0, 404]);
    learner = await app.renew(learner);
  });

  it('answers 503 while the service is away, and goes on when it is back', async () => {
    const { imageUrl } = (await upload()).json<{ imageUrl: string }>();
    const get = () => app.inject(imageUrl);
    const cases = [
      ...(['failing', 'silent', 'forbidding'] as const).map(
        (fault) => [fault, [upload, get]] as const,
      ),
      // Of an upload the status is all that the service answers.
      ...(['slow', 'broken off'] as const).map((fault) => [fault, [get]] as const),
    ];
    for (const [fault, asks] of cases) {
      double.fault = fault;
      for (const ask of asks) {
        const answer = await ask();
        expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toMatchObject([
          503,
          '2',
          { error: 'unavailable' },
        ]);
      }
    }
    const profile = await app.inject({ url: getProfile.path, headers: learner.headers });
    expect(profile.statusCode).toBe(200);
    double.fault = 'another picture';
    expect((await get()).statusCode).toBe(404);
    double.fault = null;
    expect((await upload()).statusCode).toBe(200);
    expect(app.logLines.join('')).toContain('the object storage answers 503 SlowDown');
    expect(app.logLines.join('')).not.toContain(account.secretAccessKey);
  });
});
