import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { cachedFor } from './index.ts';

const AGE_MS = 1_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('keeps a newer answer when an older one fails late', async () => {
  const loads: PromiseWithResolvers<string>[] = [];
  const find = cachedFor(AGE_MS, () => {
    const load = Promise.withResolvers<string>();
    loads.push(load);
    return load.promise;
  });
  const older = find();
  vi.advanceTimersByTime(AGE_MS);
  const newer = find();
  loads[0]?.reject(new Error('late'));
  await expect(older).rejects.toThrow('late');
  loads[1]?.resolve('new');
  expect(await newer).toBe('new');
  expect(await find()).toBe('new');
  expect(loads).toHaveLength(2);
});

it('does not keep a failure', async () => {
  const load = vi.fn(() => Promise.resolve('good')).mockRejectedValueOnce(new Error('bad'));
  const find = cachedFor(AGE_MS, load);
  await expect(find()).rejects.toThrow('bad');
  expect(await find()).toBe('good');
});
