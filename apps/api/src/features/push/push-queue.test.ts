import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLogger } from '../../platform/logger/index.ts';
import { createPushQueue } from './push-queue.ts';

const KEPT_MS = 10 * 60_000;
const SERVICE = 'https://*.push.example';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('a pause of a day ends with the last waiting message, and is logged once', async () => {
  const logger = createLogger('silent');
  const warn = vi.spyOn(logger, 'warn');
  const queue = createPushQueue({ logger });
  const post = vi.fn(async () => {
    vi.advanceTimersByTime(1);
    return new Response(null, { status: 429, headers: { 'retry-after': '86400' } });
  });
  const onAnswer = vi.fn(async () => undefined);
  const send = (usefulMs: number) =>
    queue.send({ service: SERVICE, host: 'push.example', usefulMs, post, onAnswer });
  await Promise.all([send(KEPT_MS), send(KEPT_MS)]);
  await send(KEPT_MS / 2);
  expect(post).toHaveBeenCalledTimes(2);
  expect(warn).toHaveBeenCalledOnce();
  post.mockImplementation(async () => new Response(null, { status: 201 }));
  vi.advanceTimersByTime(KEPT_MS);
  await send(KEPT_MS);
  expect(onAnswer).toHaveBeenCalledExactlyOnceWith(201);
  queue.close();
});

it('a silent host holds few of the requests of its service', async () => {
  const queue = createPushQueue({ logger: createLogger('silent') });
  const sending = (host: string, post: () => Promise<Response>) =>
    queue.send({
      service: SERVICE,
      host,
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
