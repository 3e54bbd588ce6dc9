import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LIVEKIT_VERSION } from './media-server-release.mjs';
import { isAtLeast, requireNode } from './node-version.mjs';
import { root } from './places.mjs';
import {
  addTotals,
  atLeastOneFailure,
  countPlaywright,
  countVitest,
  summary,
  withSecondTry,
} from './test-parts.mjs';
import { hashSources } from './web-build.mjs';

test.each([
  ['20.19.0', true],
  ['20.18.3', false],
  ['22.1.0', true],
  ['18.20.8', false],
])('Node.js %s is new enough: %s', (version, enough) => {
  expect(isAtLeast(version, [20, 19])).toBe(enough);
});

test('a Node.js that is too old gets a message that says what to install', () => {
  expect(() => requireNode('18.20.8')).toThrow(/18.20.8 is too old: install Node.js 20.19/);
});

test('scripts and Go module pin the same media server', async () => {
  const module = await readFile(join(root, 'media/go.mod'), 'utf8');
  expect(module).toContain(`github.com/livekit/livekit-server v${LIVEKIT_VERSION}\n`);
});

test('the hash of the sources changes with names and contents, not with tests and builds', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mogakgong-sources-'));
  const hash = () => hashSources(folder, ['web', 'lock.json']);
  await mkdir(join(folder, 'web/dist'), { recursive: true });
  await writeFile(join(folder, 'lock.json'), '{}');
  await writeFile(join(folder, 'web/a.ts'), 'one');
  const first = await hash();
  await writeFile(join(folder, 'web/a.test.ts'), 'a test');
  await writeFile(join(folder, 'web/dist/a.js'), 'built');
  expect(await hash()).toBe(first);
  await writeFile(join(folder, 'web/a.ts'), 'two');
  expect(await hash()).not.toBe(first);
  await writeFile(join(folder, 'web/a.ts'), 'one');
  expect(await hash()).toBe(first);
  await writeFile(join(folder, 'lock.json'), '{ }');
  expect(await hash()).not.toBe(first);
  await rm(folder, { recursive: true });
});

test('vitest’s totals count a file that could not be loaded as a failure, and say which failed', () => {
  const failed = {
    status: 'failed',
    fullName: 'a seat is kept',
    failureMessages: ['Error: gone\nat'],
  };
  const report = {
    numPassedTests: 3,
    numPendingTests: 2,
    numTodoTests: 0,
    testResults: [
      {
        name: join(root, 'a.test.ts'),
        status: 'failed',
        message: 'no such file',
        assertionResults: [],
      },
      {
        name: join(root, 'b.test.ts'),
        status: 'failed',
        assertionResults: [failed, { status: 'passed' }],
      },
      { name: join(root, 'c.test.ts'), status: 'passed', assertionResults: [{ status: 'passed' }] },
    ],
  };
  expect(countVitest(report)).toEqual({
    passed: 3,
    failed: 2,
    skipped: 2,
    failures: [
      'a.test.ts › \n    no such file',
      'b.test.ts › a seat is kept\n    Error: gone\n    at',
    ],
    unsteady: [],
  });
});

test('Playwright’s totals count a flaky test as a failure, and say which failed', () => {
  const spec = (title, status) => ({
    file: 'chat.spec.ts',
    title,
    tests: [{ status, results: [{ status: 'failed', error: { message: 'not seen' } }] }],
  });
  const report = {
    config: { rootDir: join(root, 'e2e') },
    stats: { expected: 5, skipped: 1 },
    suites: [
      {
        specs: [spec('one', 'unexpected'), spec('two', 'expected')],
        suites: [{ specs: [spec('three', 'flaky')] }],
      },
    ],
  };
  expect(countPlaywright(report)).toEqual({
    passed: 5,
    failed: 2,
    skipped: 1,
    failures: ['e2e/chat.spec.ts › one\n    not seen', 'e2e/chat.spec.ts › three\n    not seen'],
    unsteady: [],
  });
});

test('a failure is repeated in six lines of 200 characters', () => {
  const message = `${'x'.repeat(201)}\n${'y'.repeat(200)}\n3\n4\n5\n6\n7`;
  const report = {
    testResults: [
      { name: join(root, 'a.test.ts'), status: 'failed', message, assertionResults: [] },
    ],
  };
  expect(countVitest(report).failures).toEqual([
    ['a.test.ts › ', `${'x'.repeat(200)}…`, 'y'.repeat(200), '3', '4', '5', '6'].join('\n    '),
  ]);
});

test('a run that failed without a failed test, or without a report, is a failure', () => {
  const passed = { passed: 3, failed: 0, skipped: 0, failures: [] };
  expect(atLeastOneFailure(passed, 1)).toMatchObject({ passed: 3, failed: 1 });
  expect(atLeastOneFailure(countVitest(undefined), 1)).toMatchObject({ passed: 0, failed: 1 });
  expect(atLeastOneFailure(passed, 0)).toBe(passed);
});

test('a test that fails and passes by itself is named as unsteady; one that fails twice fails', async () => {
  const totals = (passed, ...failures) => ({
    passed,
    failed: failures.length,
    skipped: 0,
    failures,
    unsteady: [],
  });
  const [twice, once, broken] = ['a.ts › twice\n    at 1', 'b.ts › once', 'ended with 1'];
  const asked = [];
  const again = (second) => async (failures) => {
    asked.push(failures);
    return second;
  };
  const first = totals(7, twice, once);
  expect(await withSecondTry(first, again(totals(1, 'a.ts › twice\n    at 2')))).toEqual({
    ...totals(8, 'a.ts › twice\n    at 2'),
    unsteady: [once],
  });
  expect(asked).toEqual([[twice, once]]);
  for (const second of [totals(0, broken), totals(0)]) {
    expect(await withSecondTry(first, again(second))).toBe(first);
  }
  for (const kept of [totals(3), totals(3, broken), totals(3, ...Array(6).fill(once))]) {
    expect(await withSecondTry(kept, again(totals(3)))).toBe(kept);
  }
  expect(asked).toHaveLength(3);
});

test('the last line of a test run names skipped tests only when there are any', () => {
  const part = { passed: 2, failed: 0, skipped: 1, failures: [], unsteady: [] };
  expect(summary(addTotals([part, part]))).toBe('4 passed, 0 failed, 2 skipped');
  expect(summary({ passed: 1, failed: 2, skipped: 0 })).toBe('1 passed, 2 failed');
});
