import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { MINUTE_MS } from '@mogakgong/contract';
import { processTree } from '../support/processes.ts';
import { tableRow } from '../support/statistics.ts';
import { type Benchmark, benchmarks } from './list.ts';
import { describeMachine } from './versions.ts';

/**
 * Runs every benchmark, one after the other, each when the machine is quiet, and writes one page with the machine,
 * the versions and the output of each. Goes on after one that fails, and ends with 1 then. Their outputs are also in
 * test-results/figures. Without LIGHTHOUSE (see lighthouse.ts) and --meet these peers are left out.
 *
 *     npm run bench:all -- [--only NAME]… [--meet FOLDER of a built LiveKit Meet] [--out FILE]
 */
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    meet: { type: 'string' },
    out: { type: 'string', default: 'test-results/figures/figures.md' },
  },
});
const OUTPUTS = 'test-results/figures';
/** Average of the last minute. Half of the cores: what ran before has ended, and little else runs. */
const QUIET_LOAD = availableParallelism() / 2;
const QUIET_LIMIT_MINUTES = 5;
const LOOK_EVERY_MS = 5_000;
const LIMIT_MINUTES = 20;

interface Result {
  readonly name: string;
  readonly command: string;
  /** Average of the minute before. */
  readonly load: number;
  readonly minutes: number;
  /** Why there are no figures, or why they are not to be trusted; null if it succeeded. */
  readonly failure: string | null;
  readonly output: string;
}

function minutesSince(startMs: number): number {
  return (performance.now() - startMs) / MINUTE_MS;
}

const load = () => loadavg()[0] ?? 0;

/** Returns the load at which it goes on: above QUIET_LOAD if the machine stayed busy for the limit. */
async function untilQuiet(): Promise<number> {
  const startMs = performance.now();
  while (load() > QUIET_LOAD && minutesSince(startMs) < QUIET_LIMIT_MINUTES) {
    await delay(LOOK_EVERY_MS);
  }
  return load();
}

/** With all processes below it: npm leaves its child running. */
function end(child: ChildProcess): void {
  for (const pid of processTree(child.pid ?? 0).toReversed()) {
    try {
      process.kill(pid, 'SIGTERM');
    } catch {
      // It has ended already.
    }
  }
}

/** Returns why it failed; null if it ended with 0. */
async function runToFile(args: readonly string[], file: string): Promise<string | null> {
  const [output, errors] = [await open(`${file}.txt`, 'w'), await open(`${file}.errors.txt`, 'w')];
  const child = spawn('npm', args, {
    stdio: ['ignore', output.fd, errors.fd],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  });
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    end(child);
  }, LIMIT_MINUTES * MINUTE_MS);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(limit);
  await output.close();
  await errors.close();
  if (isLate) return `stopped after ${LIMIT_MINUTES} minutes`;
  return code === 0 ? null : `ended with ${code}: it failed, or missed a goal`;
}

async function run({ name, args = [], needs, hasMeet }: Benchmark): Promise<Result> {
  const meet = hasMeet && options.meet !== undefined ? ['--meet', options.meet] : [];
  const all = [...meet, ...args];
  const command = ['npm run', `bench:${name}`, ...(all.length > 0 ? ['--', ...all] : [])].join(' ');
  if (needs !== undefined && spawnSync(needs, ['--version']).error) {
    return { name, command, load: 0, minutes: 0, failure: `not run: no ${needs} here`, output: '' };
  }
  const before = await untilQuiet();
  if (before > QUIET_LOAD) {
    console.log(`${name}: the machine is not quiet after ${QUIET_LIMIT_MINUTES} minutes`);
  }
  console.log(`${name} … (load ${before.toFixed(1)})`);
  const file = path.join(OUTPUTS, name);
  const startMs = performance.now();
  const failure = await runToFile(['run', '--silent', `bench:${name}`, '--', ...all], file);
  const minutes = minutesSince(startMs);
  const output = stripVTControlCharacters(await readFile(`${file}.txt`, 'utf8')).trim();
  return { name, command, load: before, minutes, failure, output };
}

/** A table as the benchmark printed it is one of the page; other text is quoted. */
function section({ name, command, failure, output }: Result): string {
  const shown = /^\|/mu.test(output) ? output : `\`\`\`\n${output}\n\`\`\``;
  const fault = failure === null ? [] : [`**${failure}**`];
  const parts = [`## ${name}`, `    ${command}`, ...fault, ...(output === '' ? [] : [shown])];
  return parts.join('\n\n');
}

function pageOf(head: string, results: readonly Result[]): string {
  const rows = results.map(({ name, load: before, minutes, failure }) => {
    const busy = before > QUIET_LOAD ? ' (not quiet)' : '';
    return tableRow(name, minutes.toFixed(1), before.toFixed(1) + busy, failure ?? 'ok');
  });
  const summary = [
    tableRow('benchmark', 'minutes', 'load before', 'result'),
    tableRow('---', '---:', '---:', '---'),
    ...rows,
  ];
  return `${[head, summary.join('\n'), ...results.map(section)].join('\n\n')}\n`;
}

const unknown = options.only.filter((name) => !benchmarks.some((each) => each.name === name));
if (unknown.length > 0) {
  throw new Error(`no benchmark ${unknown}: ${benchmarks.map(({ name }) => name).join(', ')}`);
}
await mkdir(OUTPUTS, { recursive: true });
await mkdir(path.dirname(options.out), { recursive: true });
const today = new Date().toISOString().slice(0, 10);
const head = `# Figures of ${today}\n\n${describeMachine(options.meet)}`;
const results: Result[] = [];
for (const benchmark of benchmarks) {
  if (options.only.length > 0 && !options.only.includes(benchmark.name)) continue;
  const result = await run(benchmark);
  results.push(result);
  // After each, so that a run which is broken off keeps what it has measured.
  await writeFile(options.out, pageOf(head, results));
  console.log(`${result.name}: ${result.failure ?? 'ok'}, ${result.minutes.toFixed(1)} min`);
}
const failed = results.filter(({ failure }) => failure !== null).length;
console.log(`${results.length - failed} ok, ${failed} not: ${options.out}`);
process.exitCode = failed === 0 ? 0 : 1;
