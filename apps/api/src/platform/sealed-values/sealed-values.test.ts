import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createSealedValues, deriveKey } from './index.ts';
import { open, seal } from './sealing.ts';

const form = z.object({ name: z.string() });
const value = { name: 'haneul' };
const clock = { now: () => new Date() };

it('a sealed value is opened for its own purpose, with its own key, and cannot be read', async () => {
  const values = createSealedValues(['a secret'], clock);
  const sealed = await values.seal('flow', value, 60);
  expect(await values.open('flow', form, sealed)).toEqual(value);
  expect(await values.open('newcomer', form, sealed)).toBeNull();
  expect(await createSealedValues(['another'], clock).open('flow', form, sealed)).toBeNull();
  expect(await values.open('flow', z.object({ name: z.number() }), sealed)).toBeNull();
  const parts = sealed.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  expect(parts.join()).not.toContain(value.name);
});

it('a stored secret is opened by its site, for its owner, unchanged', () => {
  const secret = Buffer.from('12345678901234567890');
  const keyOf = (siteSecret: string) => deriveKey(siteSecret, 'test');
  const sealed = seal(keyOf('a secret'), secret, '1');
  expect(sealed.includes(secret)).toBe(false);
  expect(open(keyOf('a secret'), sealed, '1')).toEqual(secret);
  expect(open(keyOf('a secret'), sealed, '2')).toBeNull();
  expect(open(keyOf('another'), sealed, '1')).toBeNull();
  expect(open(keyOf('a secret'), sealed.fill(0, sealed.length - 1), '1')).toBeNull();
  expect(open(keyOf('a secret'), Buffer.alloc(3), '1')).toBeNull();
});

it('a value that was sealed with an older secret is opened while it is in the ring', async () => {
  const older = createSealedValues(['older'], clock);
  const sealed = await older.seal('flow', value, 60);
  for (const secrets of [
    ['newer', 'older'],
    ['older', 'newer'],
  ] as const) {
    expect(await createSealedValues(secrets, clock).open('flow', form, sealed)).toEqual(value);
  }
  expect(await createSealedValues(['newer'], clock).open('flow', form, sealed)).toBeNull();
});
