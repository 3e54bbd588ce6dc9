import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readdir, readFile, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeDataDir, removeDataDir } from './data-dir.ts';
import { freePort } from './free-port.ts';

const root = path.resolve(import.meta.dirname, '..');
const resultsDir = path.join(root, 'test-results');
const READY_DEADLINE_MS = 240_000;
const STOP_DEADLINE_MS = 30_000;

/** A running product, as `npm start` brings it up. */
export interface RunningStack {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
}

export interface Stack extends RunningStack {
  /** The start script. */
  readonly child: ChildProcess;
  /** Ends it, and removes its data. */
  readonly stop: () => Promise<void>;
}

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

/**
 * Brings up what `npm start` brings up, on a fresh DATA_DIR and a free port, with rate limits out of
 * the way of a single address that plays twenty learners.
 * @param name of its log file in `test-results`.
 * @param folder holds its data: on the disk, as an operator's are, unless nothing is measured (`fastFolder`).
 */
export async function startStack(
  name: string,
  env: Readonly<Record<string, string>> = {},
  folder = tmpdir(),
): Promise<Stack> {
  const dataDir = await makeDataDir(folder);
  const port = Number(env.PORT) || (await freePort());
  const url = `http://localhost:${port}`;
  await mkdir(resultsDir, { recursive: true });
  const log = await open(path.join(resultsDir, `${name}.log`), 'a');
  const child = spawn(process.execPath, [path.join(root, 'scripts/start.mjs')], {
    cwd: root,
    stdio: ['ignore', log.fd, log.fd],
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: dataDir,
      RATE_LIMIT_SCALE: '1000',
      ...env,
    },
  });
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const giveUp = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
      await ended;
      clearTimeout(giveUp);
    }
    await log.close();
    await removeDataDir(dataDir);
  };
  try {
    await untilReady(url, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, port, dataDir, child, stop };
}

type DataDir = Pick<RunningStack, 'dataDir'>;

/** The processes of its API. */
export async function apiPids({ dataDir }: DataDir): Promise<number[]> {
  const names = await readdir(path.join(dataDir, 'api')).catch(() => []);
  return names.map((name) => Number.parseInt(name, 10));
}

export async function mediaPid({ dataDir }: DataDir): Promise<number> {
  return JSON.parse(await readFile(path.join(dataDir, 'media-server/process.json'), 'utf8')).pid;
}

export async function postgresPid({ dataDir }: DataDir): Promise<number> {
  const file = await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8');
  return Number.parseInt(file, 10);
}

/** Its database, as DATABASE_URL takes it, with the role of the API. */
export async function databaseUrl({ dataDir }: DataDir): Promise<string> {
  const password = await readFile(path.join(dataDir, 'postgres-password'), 'utf8');
  const socketDir = encodeURIComponent(await realpath(path.join(dataDir, 'postgres')));
  return `postgresql://mogakgong_api:${password.trim()}@localhost:5432/mogakgong?host=${socketDir}`;
}
