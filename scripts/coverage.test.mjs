import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './stack/places.mjs';

const FOLDERS = {
  'web/': 'apps/web/src/',
  'api/': 'apps/api/src/',
  'contract/': 'packages/contract/src/',
};

const document = readFileSync(path.join(root, 'docs/coverage.md'), 'utf8');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n');
const testFiles = new Map(
  files
    .filter((file) => /\.(test|spec)\.\w+$/.test(file))
    .map((file) => [path.basename(file), file]),
);

const rows = document
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| specification |'))
  .map((line) => {
    const [, , where, tests] = line.split('|').map((cell) => cell.trim());
    return { where, tests };
  });

test('docs/coverage.md names files that exist', () => {
  const missing = rows.flatMap(({ where }) =>
    [...where.matchAll(/`([^`]+\.\w+)`/g)]
      .map(([, name]) => name)
      .map((name) => {
        const folder = Object.keys(FOLDERS).find((short) => name.startsWith(short));
        return folder ? FOLDERS[folder] + name.slice(folder.length) : name;
      })
      .filter((name) => !files.includes(name)),
  );
  expect(missing).toEqual([]);
});

test('docs/coverage.md names tests that exist', () => {
  const sources = new Map();
  const sourceOf = (name) => {
    const file = testFiles.get(name);
    if (file && !sources.has(name)) sources.set(name, readFileSync(path.join(root, file), 'utf8'));
    return sources.get(name) ?? '';
  };
  const missing = rows
    .flatMap(({ tests }) => tests.split('<br>'))
    .filter((named) => / › /.test(named))
    .filter((named) => {
      const [file, ...names] = named.split(' › ');
      return !names.every((name) => sourceOf(file).includes(name));
    });
  expect(missing).toEqual([]);
});

test('docs/coverage.md counts its rows', () => {
  const count = (matches) => rows.filter(({ tests }) => matches(tests)).length;
  const notYet = count((tests) => tests.startsWith('**not yet**'));
  const noTest = count((tests) => tests.startsWith('**no test**'));
  const nothing = count((tests) => tests === '—');
  const tested = rows.length - notYet - noTest - nothing;
  expect(/^\d+ rows: .*$/m.exec(document)?.[0]).toBe(
    `${rows.length} rows: ${tested} with a test, ${noTest} built without one, ${notYet} not yet built, ${nothing} with nothing to test.`,
  );
});
