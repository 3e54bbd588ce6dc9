import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { openTestSite } from '../../../test/test-site.ts';

const SCRIPT = path.join(import.meta.dirname, '../../../test/site-job-process.ts');
const HANDED_OVER_MS = 10_000;

/** A process of the site, and how often it ran the job of the site. */
interface Runner {
  readonly child: ChildProcess;
  runs: number;
}

const { app } = await openTestSite();
let first: Runner;
let second: Runner;
const runners: Runner[] = [];

function startRunner(): Runner {
  const { host, port, user, password } = inject('postgres');
  const query = `host=${encodeURIComponent(host)}`;
  const url = `postgresql://${user}:${password}@localhost:${port}/${app.databaseName}?${query}`;
  const child = fork(SCRIPT, [url]);
  const runner = { child, runs: 0 };
  child.on('message', () => {
    runner.runs += 1;
  });
  runners.push(runner);
  return runner;
}

/** Waits until a process has run the job `more` times more. */
async function runsOf(runner: Runner, more: number, timeout = HANDED_OVER_MS): Promise<void> {
  const until = runner.runs + more;
  await vi.waitFor(() => expect(runner.runs).toBeGreaterThanOrEqual(until), { timeout });
}

beforeEach(async () => {
  first = startRunner();
  await runsOf(first, 1);
  second = startRunner();
});
afterEach(async () => {
  for (const { child } of runners.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await sql`update site_lease set expires_at = '-infinity'`.execute(app.database);
});

describe('a job of the site', () => {
  it('runs in another process within ten seconds after its own was killed', async () => {
    await runsOf(first, 50);
    expect(second.runs).toBe(0);
    first.child.kill('SIGKILL');
    await runsOf(second, 1);
  });

  it('runs in another within ten seconds after its own froze, which keeps still once it thaws', async () => {
    first.child.kill('SIGSTOP');
    await runsOf(second, 1);
    const before = first.runs;
    first.child.kill('SIGCONT');
    await runsOf(second, 30);
    expect(first.runs).toBe(before);
  });

  it('passes on at once when its process ends in order', async () => {
    first.child.kill('SIGTERM');
    await runsOf(second, 1, 5_000);
  });
});
