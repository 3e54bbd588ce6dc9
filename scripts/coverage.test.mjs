import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './stack/places.mjs';

const FOLDERS = {
  'web/': 'apps/web/src/',
  'api/': 'apps/api/src/',
  'contract/': 'packages/contract/src/',
  'stomp/': 'packages/stomp/src/',
};

/** The name of a file as git has it, of one that may begin with a folder of FOLDERS. */
function inFull(name) {
  const folder = Object.keys(FOLDERS).find((short) => name.startsWith(short));
  return folder ? FOLDERS[folder] + name.slice(folder.length) : name;
}

const document = readFileSync(path.join(root, 'docs/coverage.md'), 'utf8');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n');
const testFiles = Map.groupBy(
  files.filter((file) => /\.(test|spec)\.\w+$/.test(file)),
  (file) => path.basename(file),
);

const cellsOf = (line) => line.split('|').map((cell) => cell.trim());
const linesOf = (text) => text.split('\n').filter((line) => line.startsWith('| '));

const rows = linesOf(document)
  .filter((line) => !line.startsWith('| specification |'))
  .map((line) => {
    const [, , where, tests] = cellsOf(line);
    return { where, tests };
  });

const securityDocument = readFileSync(path.join(root, 'docs/security.md'), 'utf8');
const requirements = linesOf(securityDocument)
  .filter((line) => /^\| \d+\.\d+\.\d+ \|/.test(line))
  .map((line) => {
    const [, number, level, state, , tests] = cellsOf(line);
    return { number, level, state, tests };
  });

/** What a hostile client may try in a room, with the tests of it. */
const attempts = linesOf(securityDocument)
  .map(cellsOf)
  .filter((cells) => cells.length === 5 && cells[1] !== 'it tries');

/** Of names of tests, file › name, those that are in no file. */
function missingTests(cells) {
  const sources = new Map();
  const sourceOf = (name) => {
    const [file] = testFiles.get(name) ?? [];
    if (file && !sources.has(name)) {
      sources.set(name, readFileSync(path.join(root, file), 'utf8'));
    }
    return sources.get(name) ?? '';
  };
  return cells
    .flatMap((cell) => cell.split('<br>'))
    .filter((named) => / › /.test(named))
    .filter((named) => {
      const [file, ...names] = named.split(' › ');
      return !names.every((name) => sourceOf(file).includes(name));
    });
}

test('a test file has a name of its own, by which documents mean it', () => {
  expect([...testFiles.values()].filter((same) => same.length > 1)).toEqual([]);
});

test('docs/coverage.md names files that exist', () => {
  const missing = rows.flatMap(({ where }) =>
    [...where.matchAll(/`([^`]+\.\w+)`/g)]
      .map(([, name]) => inFull(name))
      .filter((name) => !files.includes(name)),
  );
  expect(missing).toEqual([]);
});

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/ways.md'])(
  '%s names files that exist',
  (name) => {
    const text = readFileSync(path.join(root, name), 'utf8');
    const named = [...text.matchAll(/`([\w./-]+\.(?:tsx?|m?js|cjs|json|md))`/g)]
      .map(([, file]) => file)
      // Names of no file in particular.
      .filter((file) => !/^x\.|NNN/.test(file));
    const missing = named.filter(
      (file) => !files.some((known) => `/${known}`.endsWith(`/${inFull(file)}`)),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(missing).toEqual([]);
  },
);

test('docs/coverage.md names tests that exist', () => {
  expect(missingTests(rows.map(({ tests }) => tests))).toEqual([]);
});

test('docs/security.md names tests that exist, for all that is met with one', () => {
  expect(missingTests(requirements.map(({ tests }) => tests))).toEqual([]);
  expect(attempts.length).toBeGreaterThan(0);
  expect(missingTests(attempts.map(([, , , tests]) => tests))).toEqual([]);
  expect(attempts.filter(([, , , tests]) => !tests.includes(' › '))).toEqual([]);
  const untested = requirements.filter(({ state, tests }) => state === 'met' && tests === '');
  expect(untested).toEqual([]);
});

test('docs/security.md has every requirement of level 1 and 2 once, and counts them', () => {
  expect(new Set(requirements.map(({ number }) => number)).size).toBe(requirements.length);
  const count = (matches) => requirements.filter(matches).length;
  // ASVS 5.0.0 has 70 and 183.
  expect([count(({ level }) => level === '1'), count(({ level }) => level === '2')]).toEqual([
    70, 183,
  ]);
  const of = (wanted) => count(({ state }) => state === wanted);
  expect(/^\d+ requirements, .*$/m.exec(securityDocument)?.[0]).toBe(
    `253 requirements, 70 of level 1 and 183 of level 2: ${of('met')} met with a test, ${of('no test')} met without one, ${of('deviation')} deviations, ${of('—')} not applicable.`,
  );
});
