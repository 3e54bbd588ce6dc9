import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './stack/places.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');
const RULES = 'deploy/metrics/alerts.yaml';
const table = read('docs/operating/metrics.md')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, name, type, , , , alert]) => ({ name: name.slice(1, -1), type, alert }));

/** The names that an expression may use: a histogram has three, and Prometheus itself has `up`. */
const names = new Set(['up']);
for (const { name, type } of table) {
  const ends = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
  for (const end of ends) names.add(name + end);
}

/** The metrics of an expression: they have a prefix, unlike functions and labels. */
const metricsOf = (text) => text.match(/\b(?:(?:mogakgong|process|nodejs)_\w+|up(?=\{))/g) ?? [];

test('every metric of the dashboard and of the alert rules exists', () => {
  const { panels } = JSON.parse(read('deploy/metrics/dashboard.json'));
  const shown = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsOf(expr)));
  const watched = metricsOf(read(RULES).replaceAll(/^ +annotations:.*$/gm, ''));
  expect(shown.length).toBeGreaterThan(panels.length);
  expect(watched.length).toBeGreaterThan(20);
  expect([...shown, ...watched].filter((name) => !names.has(name))).toEqual([]);
});

test('the table names the alerts of each metric, and no others', () => {
  const rules = read(RULES)
    .split(/^ +- alert: /m)
    .slice(1);
  const alertsOf = (metric) =>
    rules.filter((rule) => new RegExp(`\\b${metric}(?:_bucket)?\\b`).test(rule));
  for (const { name, alert } of table) {
    const expected = alertsOf(name).map((rule) => rule.split('\n', 1)[0]);
    expect({ name, alert }).toEqual({ name, alert: expected.join(', ') });
  }
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

test.skipIf(!hasPromtool).each([
  ['check', RULES],
  ['test', 'deploy/metrics/alerts.test.yaml'],
])('promtool can %s the alert rules (package prometheus of Debian)', (command, file) => {
  const args = [command, 'rules', join(root, file)];
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  expect({ status, output: stdout + stderr }).toEqual({
    status: 0,
    output: expect.stringContaining('SUCCESS'),
  });
});
