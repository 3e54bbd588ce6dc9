import { UserId } from '@mogakgong/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLogger } from '../../platform/logger/index.ts';
import { createPushQueue } from './push-queue.ts';

const KEPT_MS = 10 * 60_000;
const PAUSE_MS = 30_000;
const SERVICE = 'https://*.push.example';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A queue to a service that refuses every message, for a day. */
function refusing() {
  const logger = createLogger('silent');
  const queue = createPushQueue({ logger });
  const post = vi.fn(
    async () => new Response(null, { status: 429, headers: { 'retry-after': '86400' } }),
  );
  const onAnswer = vi.fn(async () => undefined);
  const send = (userId: number, usefulMs = KEPT_MS) =>
    queue.send({
      ...{ userId: UserId.parse(userId), service: SERVICE, host: 'push.example' },
      ...{ usefulMs, post, onAnswer },
    });
  return { queue, post, onAnswer, send, warn: vi.spyOn(logger, 'warn') };
}

it('a device that has had too much is not told, and others are', async () => {
  const { queue, post, onAnswer, send } = refusing();
  for (let message = 0; message < 20; message += 1) await send(1);
  for (let userId = 2; userId < 10; userId += 1) await send(userId);
  expect(onAnswer).not.toHaveBeenCalled();
  post.mockImplementation(async () => new Response(null, { status: 201 }));
  await send(10);
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith(201);
  queue.close();
});

it('a service that refuses the devices of ten learners in a row gets a pause of half a minute, whatever it asks for', async () => {
  const { queue, post, onAnswer, send, warn } = refusing();
  for (let userId = 1; userId < 10; userId += 1) await send(userId);
  await Promise.all([send(10, PAUSE_MS / 2), send(11, PAUSE_MS / 2)]);
  expect(post).toHaveBeenCalledTimes(11);
  expect(warn).toHaveBeenCalledOnce();
  await send(12, PAUSE_MS / 2);
  expect(post).toHaveBeenCalledTimes(11);
  post.mockImplementation(async () => new Response(null, { status: 201 }));
  vi.advanceTimersByTime(PAUSE_MS);
  await send(12);
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith(201);
  queue.close();
});

it('a silent host holds few of the requests of its service', async () => {
  const queue = createPushQueue({ logger: createLogger('silent') });
  const sending = (host: string, post: () => Promise<Response>) =>
    queue.send({
      ...{ userId: UserId.parse(1), service: SERVICE, host },
      usefulMs: KEPT_MS,
      post,
      onAnswer: async () => undefined,
    });
  const silence = Promise.withResolvers<Response>();
  const silent = vi.fn(() => silence.promise);
  const waiting = Array.from({ length: 100 }, () => sending('silent.push.example', silent));
  await vi.waitFor(() => expect(silent).toHaveBeenCalledTimes(10));
  const other = vi.fn(async () => new Response(null, { status: 201 }));
  await sending('other.push.example', other);
  expect(other).toHaveBeenCalledOnce();
  expect(silent).toHaveBeenCalledTimes(10);
  silence.reject(new Error('no answer'));
  await Promise.all(waiting);
  queue.close();
});
