import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createSealedValues } from './index.ts';

const form = z.object({ name: z.string() });
const value = { name: 'haneul' };
const clock = { now: () => new Date() };

it('a sealed value is opened for its own purpose, with its own key, and cannot be read', async () => {
  const values = createSealedValues('a secret', clock);
  const sealed = await values.seal('flow', value, 60);
  expect(await values.open('flow', form, sealed)).toEqual(value);
  expect(await values.open('newcomer', form, sealed)).toBeNull();
  expect(await createSealedValues('another', clock).open('flow', form, sealed)).toBeNull();
  expect(await values.open('flow', z.object({ name: z.number() }), sealed)).toBeNull();
  const parts = sealed.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  expect(parts.join()).not.toContain(value.name);
});
