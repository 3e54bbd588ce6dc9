import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from './stack/places.mjs';

/** What runs at the learner's and the operator's; the programs that start and test it are not. */
const PRODUCT = ['apps/api/src', 'apps/web/src', 'packages/*/src'];

/** `catch {}`, `.catch(() => undefined)`, `.then(use, () => {})` and their like. */
const EMPTY_CATCH =
  /\bcatch\s*(?:\(\w+\)\s*)?\{\s*\}|(?:\.catch\(|,)\s*(?=(\(?\w*\)?\s*=>\s*(?:undefined|\{\s*\}),?\s*\)))\1/gu;
const COMMENT = /^\s*(?:\/\/|\/?\*)|\s\/\/ |\/\*/u;

/** Lines, from 1, of what swallows a failure without a comment beside or directly above it. */
function unexplained(source) {
  const lines = source.split('\n');
  return [...source.matchAll(EMPTY_CATCH)]
    .map(({ index, 0: { length }, 1: handler = '' }) =>
      source.slice(0, index + length - handler.length).split('\n'),
    )
    .map((before) => before.length)
    .filter((line) => !lines.slice(Math.max(0, line - 2), line).some((text) => COMMENT.test(text)));
}

test('an empty catch is found in every form, unless its reason stands with it', () => {
  const empty = [
    'try { a(); } catch {}',
    'try { a(); } catch (error) {\n}',
    'a().catch(() => undefined);',
    'a()\n  .catch((_error) => {});',
    'a().catch(\n  () => undefined,\n);',
    'b().then(\n  use,\n  () => undefined,\n);',
  ];
  expect(empty.map((source) => unexplained(source).length)).toEqual(empty.map(() => 1));
  const fine = [
    '// The next sample tries again.\na().catch(() => undefined);',
    'a().catch(() => undefined); // The next sample tries again.',
    'b().then(\n  use,\n  // The panel shows it.\n  () => undefined,\n);',
    'try { a(); } catch {\n  // None is stored.\n}',
    'a().catch((error) => report(error));',
    'b().then(() => undefined);',
  ];
  expect(fine.filter((source) => unexplained(source).length > 0)).toEqual([]);
});

test('what swallows a failure in the product says why beside it', () => {
  const files = execFileSync(
    'git',
    [...'ls-files --cached --others --exclude-standard'.split(' '), ...PRODUCT],
    { cwd: root, encoding: 'utf8' },
  )
    .split('\n')
    .filter((file) => /\.(?:ts|tsx|mjs|js)$/u.test(file) && !/\.test\.\w+$/u.test(file));
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    unexplained(readFileSync(path.join(root, file), 'utf8')).map((line) => `${file}:${line}`),
  );
  expect(found).toEqual([]);
});
