import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const PACKAGE = join(import.meta.dirname, '..');
const RULE = /\[([A-Z]{2}\d+)\]/g;

function idsIn(text: string): string[] {
  return [...text.matchAll(RULE)].map((match) => match[1] as string);
}

const rules = readFileSync(join(PACKAGE, 'SPEC.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('- ['))
  .flatMap((line) => idsIn(line).slice(0, 1));

const tests = globSync('src/**/*.test.ts', { cwd: PACKAGE })
  .map((file) => readFileSync(join(PACKAGE, file), 'utf8'))
  .join('\n');
// Names that quote rules begin with them.
const testNames = [...tests.matchAll(/(['"`])(\[[A-Z]{2}\d+\].*?)\1/g)];
const quoted = new Set(testNames.flatMap((match) => idsIn(match[2] as string)));

it('every rule of SPEC.md has its own number', () => {
  expect(rules.length).toBeGreaterThan(80);
  expect(new Set(rules).size).toBe(rules.length);
});

it('every rule of SPEC.md is quoted by a test name', () => {
  expect(rules.filter((rule) => !quoted.has(rule))).toEqual([]);
});

it('no test name quotes a rule that SPEC.md does not have', () => {
  expect([...quoted].filter((rule) => !rules.includes(rule))).toEqual([]);
});
