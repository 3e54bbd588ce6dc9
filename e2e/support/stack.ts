import { tmpdir } from 'node:os';
import type { FullConfig } from '@playwright/test';
import { fastFolder } from '../../test/data-dir.ts';
import { type ForeignMedia, startForeignMedia } from '../../test/foreign-media.ts';
import { freePort } from '../../test/free-port.ts';
import { type RunningStack, type Stack, startStack } from '../../test/running-stack.ts';

const STACKS_VARIABLE = 'E2E_STACKS';

/** With `E2E_MEDIA=foreign` each stack has two LiveKits that are not its own, with the site's key. */
const HAS_FOREIGN_MEDIA = process.env.E2E_MEDIA === 'foreign';
const MEDIA_KEY = 'journey-key';
const MEDIA_SECRET = 'the secret of the media servers of a journey';

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
  const media: ForeignMedia[] = [];
  const stopAll = async () => {
    await Promise.all(stacks.map((stack) => stack.stop()));
    await Promise.all(media.map((server) => server.kill()));
  };
  try {
    while (stacks.length < workers) {
      const name = `stack-${stacks.length}`;
      if (!HAS_FOREIGN_MEDIA) {
        stacks.push(await startStack(name, {}, folder));
        continue;
      }
      const port = await freePort();
      const start = () => startForeignMedia(MEDIA_KEY, MEDIA_SECRET, `http://localhost:${port}`);
      media.push(await start(), await start());
      const env = {
        PORT: String(port),
        LIVEKIT_URL: media
          .slice(-2)
          .map(({ url }) => url)
          .join(),
        LIVEKIT_API_KEY: MEDIA_KEY,
        LIVEKIT_API_SECRET: MEDIA_SECRET,
      };
      stacks.push(await startStack(name, env, folder));
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
