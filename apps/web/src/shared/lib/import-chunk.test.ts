import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DownloadError, importChunk } from './import-chunk.ts';

const request = vi.fn<(address: string) => Promise<Response>>();
const refused = () => Promise.reject(new TypeError('Failed to fetch'));
const load = vi.fn(async () => 'module');

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.stubGlobal('fetch', request);
  request.mockImplementation(async () => new Response('code'));
});
afterEach(() => {
  request.mockReset();
  load.mockClear();
});

test('every file is downloaded once, and before the import', async () => {
  load.mockImplementationOnce(async () => {
    expect(request.mock.calls.map(([address]) => address)).toEqual([
      '/assets/a.js',
      '/assets/b.js',
    ]);
    return 'module';
  });
  expect(await importChunk(load, ['assets/a.js', 'assets/b.js'])).toBe('module');
  await importChunk(load, ['assets/b.js']);
  expect(request).toHaveBeenCalledTimes(2);
});

test('a failed download is tried once more; the browser imports nothing that is not downloaded', async () => {
  request.mockImplementationOnce(refused);
  expect(await importChunk(load, ['assets/once.js'])).toBe('module');
  expect(request).toHaveBeenCalledTimes(2);
  expect(load).toHaveBeenCalledTimes(1);
});

test('after two failures it rejects, and the next import uses the network again', async () => {
  request.mockImplementation(async () => new Response('', { status: 404 }));
  await expect(importChunk(load, ['assets/gone.js'])).rejects.toThrow(DownloadError);
  expect(load).not.toHaveBeenCalled();
  request.mockImplementation(async () => new Response('code'));
  expect(await importChunk(load, ['assets/gone.js'])).toBe('module');
});
