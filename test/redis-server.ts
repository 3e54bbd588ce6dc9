import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';

const ANSWERS_WITHIN_MS = 10_000;
const ASK_EVERY_MS = 20;

/** Whether a redis-server can be run here. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** A real Redis of one's own, on a port of its own, keeping nothing. */
export interface RedisServer {
  readonly url: string;
  /** Stops it from answering, with its connections open. */
  freeze(): void;
  thaw(): void;
  /** Ends it with -9. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** Runs one command; the first line of the reply. */
  run(command: string): Promise<string>;
  close(): Promise<void>;
}

/** @param settings further arguments of redis-server. */
export async function startRedis(...settings: readonly string[]): Promise<RedisServer> {
  const [folder, port] = [await mkdtemp(path.join(tmpdir(), 'mogakgong-redis-')), await freePort()];
  let child: ChildProcess | undefined;

  async function kill(): Promise<void> {
    const ending = child;
    child = undefined;
    if (!ending) return;
    const exited = once(ending, 'exit');
    ending.kill('SIGKILL');
    await exited;
  }

  async function start(): Promise<void> {
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    child = spawn('redis-server', [...args, ...settings], { stdio: 'ignore' });
    const endMs = performance.now() + ANSWERS_WITHIN_MS;
    while (!(await ask(port, 'PING').catch(() => '')).startsWith('+PONG')) {
      if (performance.now() > endMs) throw new Error('redis-server does not answer');
      await delay(ASK_EVERY_MS);
    }
  }

  // A run that ends by an error leaves no server behind.
  const endWithUs = () => void child?.kill('SIGKILL');
  process.once('exit', endWithUs);
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    kill,
    start,
    run: (command) => ask(port, command),
    async close() {
      process.off('exit', endWithUs);
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function ask(port: number, command: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    socket.write(`${command}\r\n`);
    const [answer] = await once(socket, 'data', { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    return String(answer).trim();
  } finally {
    socket.destroy();
  }
}
