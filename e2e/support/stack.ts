import { tmpdir } from 'node:os';
import type { FullConfig } from '@playwright/test';
import { admin } from '../../test/admin-command.ts';
import { fastFolder } from '../../test/data-dir.ts';
import { type ForeignMedia, startForeignMedia } from '../../test/foreign-media.ts';
import { freePort } from '../../test/free-port.ts';
import { type RunningStack, type Stack, startStack } from '../../test/running-stack.ts';

const STACKS_VARIABLE = 'E2E_STACKS';

/**
 * With `E2E_MEDIA` each stack has two LiveKits that it does not configure: one that is `listed` in LIVEKIT_URL, and one
 * that the operator has `added`. The named one takes the rooms, the other is drained.
 */
const FOREIGN_MEDIA = process.env.E2E_MEDIA;
const LISTED = { key: 'listed-key', secret: 'the secret of a listed media server' };
const ADDED = { key: 'added-key', secret: 'the secret of an added media server' };

/** Of every stack: journeys open the developer pages. */
const ENV = { DEV_PAGES: 'true' };

/**
 * Playwright's global setup: a stack for each worker. They start one after the other: the first
 * builds the pages if their sources have changed. Figures keep the data on the disk, as an operator does.
 */
export default async function startStacks({
  workers,
  metadata,
}: FullConfig): Promise<() => Promise<void>> {
  // Somebody else runs the product: the smoke test of the image does.
  if (process.env[STACKS_VARIABLE]) return () => Promise.resolve();
  const folder = metadata.isMeasured ? tmpdir() : await fastFolder();
  const stacks: Stack[] = [];
  const media: ForeignMedia[] = [];
  const startForeign = async (name: string): Promise<Stack> => {
    const port = await freePort();
    const siteUrl = `http://localhost:${port}`;
    const listed = await startForeignMedia(LISTED.key, LISTED.secret, siteUrl);
    const added = await startForeignMedia(ADDED.key, ADDED.secret, siteUrl);
    media.push(listed, added);
    const env = {
      ...ENV,
      PORT: String(port),
      LIVEKIT_URL: listed.url,
      LIVEKIT_API_KEY: LISTED.key,
      LIVEKIT_API_SECRET: LISTED.secret,
    };
    const stack = await startStack(name, env, folder);
    await admin(stack, `media add ${added.url} ${ADDED.key}`, ADDED.secret);
    await admin(stack, `media drain ${(FOREIGN_MEDIA === 'listed' ? added : listed).url} 0`);
    return stack;
  };
  const stopAll = async () => {
    await Promise.all(stacks.map((stack) => stack.stop()));
    await Promise.all(media.map((server) => server.kill()));
  };
  try {
    while (stacks.length < workers) {
      const name = `stack-${stacks.length}`;
      stacks.push(await (FOREIGN_MEDIA ? startForeign(name) : startStack(name, ENV, folder)));
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
