import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { vi } from 'vitest';
import { freePort } from '../../../test/free-port.ts';

/** Whether a redis-server can be run here. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** A real Redis of a test's own, on a port of its own, keeping nothing. */
export interface RedisServer {
  readonly url: string;
  /** Ends it with -9. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export async function startRedis(): Promise<RedisServer> {
  const [folder, port] = [await mkdtemp(path.join(tmpdir(), 'mogakgong-redis-')), await freePort()];
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;

  async function kill(): Promise<void> {
    const ending = child;
    child = undefined;
    if (!ending) return;
    const exited = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill('SIGKILL');
    await exited;
  }

  async function start(): Promise<void> {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    child = spawn('redis-server', args, { stdio: 'ignore' });
    const probe = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
    probe.on('error', () => undefined);
    await vi.waitFor(() => probe.ping(), { timeout: 10_000 });
    probe.disconnect();
  }

  await start();
  return {
    url,
    kill,
    start,
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
