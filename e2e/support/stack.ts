import { tmpdir } from 'node:os';
import type { FullConfig } from '@playwright/test';
import { fastFolder } from '../../test/data-dir.ts';
import { type RunningStack, type Stack, startStack } from '../../test/running-stack.ts';

const STACKS_VARIABLE = 'E2E_STACKS';

/**
 * Playwright's global setup: a stack for each worker. They start one after the other: the first
 * builds the pages if their sources have changed. Figures keep the data on the disk, as an operator does.
 */
export default async function startStacks({
  workers,
  metadata,
}: FullConfig): Promise<() => Promise<void>> {
  const folder = metadata.isMeasured ? tmpdir() : await fastFolder();
  const stacks: Stack[] = [];
  const stopAll = async () => {
    await Promise.all(stacks.map((stack) => stack.stop()));
  };
  try {
    while (stacks.length < workers) {
      stacks.push(await startStack(`stack-${stacks.length}`, {}, folder));
    }
  } catch (error) {
    await stopAll();
    throw error;
  }
  process.env[STACKS_VARIABLE] = JSON.stringify(
    stacks.map(({ url, port, dataDir }) => ({ url, port, dataDir })),
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
