import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { sql } from 'kysely';
import { describe, expect, inject, it, type TestContext, vi } from 'vitest';
import { createTestApp } from '../../../test/test-app.ts';

const SCRIPT = path.join(import.meta.dirname, '../../../test/site-job-process.ts');
const HANDED_OVER_MS = 10_000;

/** A process of the site, and how often it ran the job of the site. */
interface Runner {
  readonly child: ChildProcess;
  runs: number;
}

/** A site: its first process has the lease, and a second one waits for it. It ends with its test. */
async function openSite(onTestFinished: TestContext['onTestFinished']) {
  const app = await createTestApp();
  const runners: Runner[] = [];
  onTestFinished(async () => {
    for (const { child } of runners) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await app.close();
  });
  const start = () => {
    const runner = startRunner(app.databaseName);
    runners.push(runner);
    return runner;
  };
  const first = start();
  await runsOf(first, 1);
  const second = start();
  await once(second.child, 'message');
  return { app, first, second };
}

function startRunner(databaseName: string): Runner {
  const { host, port, user, password } = inject('postgres');
  const query = `host=${encodeURIComponent(host)}`;
  const url = `postgresql://${user}:${password}@localhost:${port}/${databaseName}?${query}`;
  const child = fork(SCRIPT, [url]);
  const runner = { child, runs: 0 };
  child.on('message', (message) => {
    if (message === 'ran') runner.runs += 1;
  });
  return runner;
}

/** Waits until a process has run the job `more` times more. */
async function runsOf(runner: Runner, more: number, timeout = HANDED_OVER_MS): Promise<void> {
  const until = runner.runs + more;
  await vi.waitFor(() => expect(runner.runs).toBeGreaterThanOrEqual(until), { timeout });
}

// They mostly wait for the lease to expire.
describe.concurrent('a job of the site', () => {
  it('runs in another process within ten seconds after its own was killed', async ({
    onTestFinished,
  }) => {
    const { first, second } = await openSite(onTestFinished);
    await runsOf(first, 50);
    expect(second.runs).toBe(0);
    first.child.kill('SIGKILL');
    await runsOf(second, 1);
  });

  it('runs within ten seconds after its own was killed and the clock of the database was set back by an hour', async ({
    onTestFinished,
  }) => {
    const { app, first, second } = await openSite(onTestFinished);
    first.child.kill('SIGKILL');
    await once(first.child, 'exit');
    await sql`update site_lease set expires_at = expires_at + interval '1 hour'`.execute(
      app.database,
    );
    await runsOf(second, 1);
  });

  it('runs in another within ten seconds after its own froze, which keeps still once it thaws', async ({
    onTestFinished,
  }) => {
    const { first, second } = await openSite(onTestFinished);
    first.child.kill('SIGSTOP');
    await runsOf(second, 1);
    const before = first.runs;
    first.child.kill('SIGCONT');
    await runsOf(second, 30);
    expect(first.runs).toBe(before);
  });

  it('runs no more in a process whose clock jumps, and in another within ten seconds', async ({
    onTestFinished,
  }) => {
    const { first, second } = await openSite(onTestFinished);
    first.child.send('jump');
    await runsOf(second, 1);
    const before = first.runs;
    await runsOf(second, 30);
    expect(first.runs).toBe(before);
  });

  it('passes on at once when its process ends in order', async ({ onTestFinished }) => {
    const { first, second } = await openSite(onTestFinished);
    first.child.kill('SIGTERM');
    await runsOf(second, 1, 5_000);
  });
});
