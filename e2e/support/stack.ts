import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FullConfig } from '@playwright/test';
import { freePort } from '../../test/free-port.ts';

const root = path.resolve(import.meta.dirname, '../..');
const resultsDir = path.join(root, 'test-results');
const READY_DEADLINE_MS = 240_000;
const STOP_DEADLINE_MS = 30_000;

async function untilReady(url: string, stack: ChildProcess): Promise<void> {
  const deadlineMs = Date.now() + READY_DEADLINE_MS;
  while (Date.now() < deadlineMs) {
    if (stack.exitCode !== null) throw new Error(`the stack ended with ${stack.exitCode}`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    const body = (await answer?.json().catch(() => null)) as { status?: string } | null;
    if (body?.status === 'ready') return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the stack was not ready in time');
}

/** A running product, as `npm start` brings it up. */
export interface RunningStack {
  readonly url: string;
  readonly dataDir: string;
}

export interface Stack extends RunningStack {
  readonly stop: () => Promise<void>;
}

/**
 * Brings up what `npm start` brings up, on a fresh DATA_DIR and a free port, with rate limits out of
 * the way of a single address that plays twenty learners.
 * @param name of its log file in `test-results`.
 */
export async function startStack(name: string): Promise<Stack> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'mogakgong-e2e-'));
  // Run by root, PostgreSQL is another user: its cluster stays in this folder only if that can pass.
  await chmod(dataDir, 0o711);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  await mkdir(resultsDir, { recursive: true });
  const log = await open(path.join(resultsDir, `${name}.log`), 'a');
  const stack = spawn(process.execPath, [path.join(root, 'scripts/start.mjs')], {
    cwd: root,
    stdio: ['ignore', log.fd, log.fd],
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, RATE_LIMIT_SCALE: '1000' },
  });
  const stop = async () => {
    if (stack.exitCode === null && stack.signalCode === null) {
      const ended = new Promise((resolve) => stack.once('exit', resolve));
      stack.kill('SIGTERM');
      const giveUp = setTimeout(() => stack.kill('SIGKILL'), STOP_DEADLINE_MS);
      await ended;
      clearTimeout(giveUp);
    }
    await log.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await untilReady(url, stack);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, dataDir, stop };
}

const STACKS_VARIABLE = 'E2E_STACKS';

/**
 * Playwright's global setup: a stack for each worker. They start one after the other: the first
 * builds the pages if their sources have changed.
 */
export default async function startStacks({ workers }: FullConfig): Promise<() => Promise<void>> {
  const stacks: Stack[] = [];
  const stopAll = async () => {
    await Promise.all(stacks.map((stack) => stack.stop()));
  };
  try {
    while (stacks.length < workers) stacks.push(await startStack(`stack-${stacks.length}`));
  } catch (error) {
    await stopAll();
    throw error;
  }
  process.env[STACKS_VARIABLE] = JSON.stringify(
    stacks.map(({ url, dataDir }) => ({ url, dataDir })),
  );
  return stopAll;
}

/** The stack of one worker. */
export function stackOfWorker(parallelIndex: number): RunningStack {
  const stacks: readonly RunningStack[] = JSON.parse(process.env[STACKS_VARIABLE] ?? '[]');
  const stack = stacks[parallelIndex];
  if (!stack) throw new Error('the stack is not running');
  return stack;
}
