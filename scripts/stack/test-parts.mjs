import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { apiNode } from './node-version.mjs';
import { cache, root } from './places.mjs';
import { say } from './terminal.mjs';

/**
 * How many tests passed, failed and were skipped, which failed and why, a text of few lines each, and the
 * same for those that failed and passed by themselves.
 * @typedef {{passed: number, failed: number, skipped: number, failures: string[], unsteady: string[]}} Totals
 */

/** Stands between the file and the name of a failed test. */
const NAME_AFTER = ' › ';
const reports = join(cache, 'test');
/** What is repeated of a failure at the end of a run; the whole stands further up. */
const FAILURE_LINES = 6;
/** More failures than this have one cause, and are not tried again. */
const SECOND_TRIES = 5;
/** A line may hold a whole file that a test compared. */
const FAILURE_LINE_CHARACTERS = 200;

/** Format, lint, import directions, dead code and types; one test each run. */
export async function runCheck(env) {
  const code = await runVisibly([join(root, 'scripts/check.mjs')], env);
  return code === 0 ? totals({ passed: 1 }) : totals({ failures: ['npm run check'] });
}

/** All vitest projects; files with a failure a second time. */
export async function runUnit(env) {
  const run = async (files) => {
    const report = await freshReport('vitest.json');
    const code = await runVisibly(
      [
        join(root, 'node_modules/vitest/vitest.mjs'),
        ...['run', ...files, '--reporter=default', '--reporter=json'],
        `--outputFile.json=${report}`,
      ],
      env,
    );
    return atLeastOneFailure(countVitest(await readReport(report)), code);
  };
  return withSecondTry(await run([]), (failures) => run([...new Set(failures.map(fileOf))]));
}

/**
 * The journeys in a browser; those that fail a second time.
 * @param journeys names of files; all without any.
 */
export async function runE2e(env, ...journeys) {
  const run = async (...options) => {
    const report = await freshReport('playwright.json');
    const code = await runVisibly(
      [
        join(root, 'node_modules/@playwright/test/cli.js'),
        ...['test', '--config', join(root, 'e2e/playwright.config.ts'), '--reporter=list,json'],
        ...options,
      ],
      { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    );
    return atLeastOneFailure(countPlaywright(await readReport(report)), code);
  };
  return withSecondTry(await run(...journeys), () => run('--last-failed'));
}

/**
 * Runs failed tests once more, when nothing else runs. One that passes then is unsteady: it counts as
 * passed and is named, so that its cause is found (docs/decisions/120-second-tries.md).
 * @param runAgain runs those with these failures, perhaps with others of their files.
 * @returns {Promise<Totals>}
 */
export async function withSecondTry(first, runAgain) {
  const canRepeat = first.failures.every((text) => text.includes(NAME_AFTER));
  if (first.failed === 0 || first.failed > SECOND_TRIES || !canRepeat) return first;
  say(`\n  A second try of what failed:\n`);
  const second = await runAgain(first.failures);
  const failedTwice = new Set(second.failures.map(titleOf));
  const unsteady = first.failures.filter((text) => !failedTwice.has(titleOf(text)));
  // A second run that broke, or ran fewer tests, says nothing about those of the first.
  const isBroken = [...failedTwice].some((title) => !title.includes(NAME_AFTER));
  if (isBroken || second.passed < unsteady.length) return first;
  return {
    ...first,
    passed: first.passed + unsteady.length,
    failed: second.failed,
    failures: second.failures,
    unsteady,
  };
}

/** A file of tests that could not even be loaded counts as one failure. */
export function countVitest(report) {
  const failures = (report?.testResults ?? []).flatMap(
    ({ name, status, message, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed');
      if (status === 'failed' && failed.length === 0) return [failure(name, '', message)];
      return failed.map((test) => failure(name, test.fullName, test.failureMessages?.[0]));
    },
  );
  return totals({
    passed: report?.numPassedTests ?? 0,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
    failures,
  });
}

/** A flaky test is a failed one. */
export function countPlaywright(report) {
  const { expected = 0, skipped = 0 } = report?.stats ?? {};
  const failures = (report?.suites ?? []).flatMap(specsOf).flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ results }) => {
        const result = results.find(({ status }) => status !== 'passed');
        return failure(join(report.config.rootDir, file), title, result?.error?.message);
      }),
  );
  return totals({ passed: expected, skipped, failures });
}

/** @returns {Totals} */
const totals = ({ passed = 0, skipped = 0, failures = [] }) => ({
  passed,
  failed: failures.length,
  skipped,
  failures,
  unsteady: [],
});

const specsOf = ({ specs = [], suites = [] }) => [...specs, ...suites.flatMap(specsOf)];

function failure(file, name, message = '') {
  const lines = stripVTControlCharacters(message)
    .split('\n', FAILURE_LINES)
    .map((line) =>
      line.length > FAILURE_LINE_CHARACTERS ? `${line.slice(0, FAILURE_LINE_CHARACTERS)}…` : line,
    );
  return [`${relative(root, file)}${NAME_AFTER}${name}`, ...lines].join('\n    ').trimEnd();
}

const titleOf = (text) => text.split('\n', 1)[0];
const fileOf = (text) => text.split(NAME_AFTER, 1)[0];

/** A run that failed without a failed test, say by an error outside of tests, is a failure too. */
export function atLeastOneFailure(totals, code) {
  if (code === 0 || totals.failed > 0) return totals;
  return { ...totals, failed: 1, failures: [`a run ended with ${code} and no failed test`] };
}

export function addTotals(parts) {
  const sum = (name) => parts.reduce((total, part) => total + part[name], 0);
  return {
    passed: sum('passed'),
    failed: sum('failed'),
    skipped: sum('skipped'),
    failures: parts.flatMap((part) => part.failures),
    unsteady: parts.flatMap((part) => part.unsteady),
  };
}

/** The last line of a test run. */
export function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

async function freshReport(name) {
  await mkdir(reports, { recursive: true });
  const path = join(reports, name);
  await rm(path, { force: true });
  return path;
}

async function readReport(path) {
  return readFile(path, 'utf8').then(JSON.parse, () => undefined);
}

/** Runs a script with the terminal as its own; resolves with its exit code. */
function runVisibly(args, env) {
  return new Promise((resolve) => {
    const child = spawn(apiNode(), args, { cwd: root, env, stdio: 'inherit' });
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
