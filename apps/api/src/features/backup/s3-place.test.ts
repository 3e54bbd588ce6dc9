import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createEmptySite, envOf } from '../../../test/backups.ts';
import { S3Double } from '../../../test/s3-double.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { backUp, restore } from './index.ts';
import { createPlace } from './places.ts';

const account = {
  region: 'us-east-1',
  bucket: 'backups',
  accessKeyId: 'our key',
  secretAccessKey: 'a secret that is never sent',
};
const MANY_BYTES = 40 * 1024 * 1024;

let double: S3Double;
let app: TestApp;
beforeAll(async () => {
  double = await S3Double.start(account);
  const env = {
    S3_ENDPOINT: double.url,
    S3_BUCKET: 'pictures',
    S3_ACCESS_KEY_ID: account.accessKeyId,
    S3_SECRET_ACCESS_KEY: account.secretAccessKey,
    BACKUP_TO: 's3://backups/of/study',
    BACKUP_PASSPHRASE: 'seven quiet lamps',
  };
  app = await createTestApp({ env });
  await app.newLearner();
});
beforeEach(() => double.objects.clear());
afterAll(async () => {
  await app.close();
  await double.close();
});

it('a backup is kept in another bucket than the pictures, and restored from there', async () => {
  const text = await backUp(envOf(app), undefined, 'backup');
  const [, address = ''] = /^(s3:\/\/backups\/of\/study\/backup-\S+\.age):/u.exec(text) ?? [];
  expect([...double.objects.keys()]).toEqual([address.replace('s3://backups/', '')]);
  await using site = await createEmptySite(app.env);
  expect(await restore(site.env, address, async () => {})).toContain('Restored');
});

it('a large archive arrives in parts, whole or not at all', async () => {
  const place = createPlace('s3://backups', app.env);
  async function* bytes(isBroken: boolean) {
    for (let sent = 0; sent < MANY_BYTES; sent += 1_000_000) yield Buffer.alloc(1_000_000, 7);
    if (isBroken) throw new Error('the database is gone');
  }
  await place.write('large', bytes(false));
  expect(double.objects.get('large')?.bytes.length).toBe(42_000_000);
  await expect(place.write('broken', bytes(true))).rejects.toThrow('the database is gone');
  expect([...double.objects.keys()]).toEqual(['large']);
  expect(double.uploads.size).toBe(0);
  expect(await place.list()).toEqual(['large']);
});

it('what a killed process left half uploaded is removed', async () => {
  const place = createPlace('s3://backups/of', app.env);
  const key = 'of/daily-20261127T030000Z.tar.gz.age';
  double.uploads.set('upload 7', { key, parts: [] });
  double.uploads.set('upload 8', { key: 'of/somebody-elses', parts: [] });
  await place.removeUnfinished();
  expect([...double.uploads.keys()]).toEqual(['upload 8']);
});

it('all of a long list is read', async () => {
  const place = createPlace('s3://backups/of', app.env);
  const type = 'binary/octet-stream';
  const names = Array.from({ length: 2_500 }, (_, index) => `file-${1_000 + index}`);
  for (const name of names) double.objects.set(`of/${name}`, { bytes: Buffer.alloc(0), type });
  double.objects.set('of/another/file', { bytes: Buffer.alloc(0), type });
  expect(await place.list()).toEqual(names);
});
