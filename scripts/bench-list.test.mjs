import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { benchmarks } from '../bench/all/list.ts';

test('bench:all runs every benchmark once', () => {
  const manifest = path.resolve(import.meta.dirname, '../package.json');
  const scripts = Object.keys(JSON.parse(readFileSync(manifest, 'utf8')).scripts)
    .filter((name) => name.startsWith('bench:') && name !== 'bench:all')
    .map((name) => name.slice('bench:'.length));
  expect(benchmarks.map(({ name }) => name).toSorted()).toEqual(scripts.toSorted());
});
