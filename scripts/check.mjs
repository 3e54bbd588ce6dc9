import { spawn } from 'node:child_process';
import path from 'node:path';

/**
 * `npm run check`: format, lint, import directions with their canary, tables of other features, dead code and types, side by
 * side. Prints the output of what failed; exits with 1 if anything did.
 */
const root = path.resolve(import.meta.dirname, '..');
const bin = (name) => path.join(root, 'node_modules', '.bin', name);

const checks = [
  {
    name: 'format and lint',
    command: [bin('biome'), 'ci', '--colors=off', '--error-on-warnings', '.'],
  },
  {
    name: 'import directions',
    command: [bin('depcruise'), 'apps', 'packages', '--output-type', 'err'],
  },
  {
    name: 'import canary',
    command: [process.execPath, path.join(root, 'scripts/import-canary.mjs')],
  },
  {
    name: 'tables of other features',
    command: [process.execPath, path.join(root, 'scripts/table-walls.mjs')],
  },
  { name: 'dead code', command: [bin('knip')] },
  { name: 'types (node)', command: [bin('tsc'), '-p', '.'] },
  { name: 'types (browser tests)', command: [bin('tsc'), '-p', 'e2e'] },
  { name: 'types (web)', command: [bin('tsc'), '-p', 'apps/web'] },
];

/** Colours would be noise in a report. */
const env = { ...process.env, FORCE_COLOR: '0', NO_COLOR: '1' };

function run({ name, command: [program, ...args] }) {
  const startedAtMs = performance.now();
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env });
    let output = '';
    const collect = (chunk) => {
      output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => collect(`${error.message}\n`));
    child.on('close', (code) => {
      const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1);
      console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)`);
      if (code !== 0) console.log(output);
      resolve(code === 0);
    });
  });
}

const results = await Promise.all(checks.map(run));
const failed = results.filter((isGood) => !isGood).length;
console.log(`check: ${results.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
