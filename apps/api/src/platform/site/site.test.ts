import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { readSiteId } from './index.ts';

let apps: TestApp[];
beforeAll(async () => {
  const first = await createTestApp();
  apps = [await createTestApp({ besides: first }), first];
});
afterAll(async () => {
  for (const app of apps) await app.close();
});

it('is the same for every process of a site', async () => {
  const [one, two] = await Promise.all(apps.map(({ database }) => readSiteId(database)));
  expect(one).toMatch(/^[\da-f-]{36}$/u);
  expect(two).toBe(one);
});
