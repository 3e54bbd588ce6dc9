import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { root } from './stack/places.mjs';
import { buildWeb } from './stack/web-build.mjs';

/** The pages may have to be built first: ten seconds alone, over a minute on a busy machine. */
const BUILD_TIMEOUT_MS = 180_000;

test(
  'every page weighs no more than its budget (design §8)',
  async () => {
    await buildWeb();
    const script = join(root, 'apps/web/scripts/budgets.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [script]).catch(
      (error) => error,
    );
    const lines = stdout.trim().split('\n');
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter((line) => !line.startsWith('ok'))).toEqual([]);
  },
  BUILD_TIMEOUT_MS,
);

test('every page of the application links the styles that all share before its own', async () => {
  const dist = join(root, 'apps/web/dist');
  const pages = (await readdir(dist)).filter((name) => name.endsWith('.html'));
  expect(pages.length).toBeGreaterThan(20);
  for (const name of pages) {
    const [first] = (await readFile(join(dist, name), 'utf8')).match(/[^"]+\.css(?=")/gu) ?? [];
    expect(first, name).toMatch(/^\/assets\/start-/u);
  }
});
