import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { apiNode } from './node-version.mjs';
import { cache, root } from './places.mjs';

/**
 * How many tests passed, failed and were skipped.
 * @typedef {{passed: number, failed: number, skipped: number}} Totals
 */

const reports = join(cache, 'test');

/** Format, lint, import directions, dead code and types; one test each run. */
export async function runCheck(env) {
  const code = await runVisibly([join(root, 'scripts/check.mjs')], env);
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/** All vitest projects. */
export async function runUnit(env) {
  const report = await freshReport('vitest.json');
  const code = await runVisibly(
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      ...['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    ],
    env,
  );
  return atLeastOneFailure(countVitest(await readReport(report)), code);
}

/** The journeys in a browser. */
export async function runE2e(env) {
  const report = await freshReport('playwright.json');
  const code = await runVisibly(
    [
      join(root, 'node_modules/@playwright/test/cli.js'),
      ...['test', '--config', join(root, 'e2e/playwright.config.ts'), '--reporter=list,json'],
    ],
    { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
  );
  return atLeastOneFailure(countPlaywright(await readReport(report)), code);
}

export async function hasE2e() {
  const names = await readdir(join(root, 'e2e'), { recursive: true }).catch(() => []);
  return (
    existsSync(join(root, 'e2e/playwright.config.ts')) &&
    names.some((name) => name.endsWith('.spec.ts'))
  );
}

/** A file of tests that could not even be loaded counts as one failure. */
export function countVitest(report) {
  const broken = (report?.testResults ?? []).filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length;
  return {
    passed: report?.numPassedTests ?? 0,
    failed: (report?.numFailedTests ?? 0) + broken,
    skipped: (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0),
  };
}

/** A flaky test is a failed one. */
export function countPlaywright(report) {
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report?.stats ?? {};
  return { passed: expected, failed: unexpected + flaky, skipped };
}

/** A run that failed without a failed test, say by an error outside of tests, is a failure too. */
export function atLeastOneFailure(totals, code) {
  return code !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals;
}

export function addTotals(parts) {
  const sum = (name) => parts.reduce((total, part) => total + part[name], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
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
