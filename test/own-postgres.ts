import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createLogger } from '../apps/api/src/platform/logger/index.ts';
import { type PostgresServer, startPostgres } from '../apps/stack/src/postgres-server/index.ts';
import { makeDataDir, removeDataDir } from './data-dir.ts';
import { createTemplate } from './global-setup.ts';

/** A PostgreSQL of a test's own, with the template database, that it may harm. */
export interface OwnPostgres {
  readonly superuser: PostgresServer['superuser'];
  /** Stops all its processes where they are, with their connections open. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Stops it, and starts a copy of it elsewhere. */
  moveAway(): Promise<OwnPostgres>;
  close(): Promise<void>;
}

const run = promisify(execFile);
const logger = createLogger('warn');

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const own = await startOn(await makeDataDir());
  await createTemplate(own.superuser);
  return own;
}

async function startOn(dataDir: string): Promise<OwnPostgres> {
  const server = await startPostgres({ dataDir, logger, durable: false });
  const postmaster = await postmasterOf(dataDir);
  const signalAll = async (signal: NodeJS.Signals) => {
    // The postmaster first: connections that it makes after the others are listed would work on.
    process.kill(postmaster, signal);
    for (const pid of await childrenOf(postmaster)) {
      try {
        process.kill(pid, signal);
      } catch (error) {
        // A process of one connection may have ended since it was listed.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  };
  return {
    superuser: server.superuser,
    freeze: () => signalAll('SIGSTOP'),
    thaw: () => signalAll('SIGCONT'),
    async moveAway() {
      await server.stop();
      const copy = await makeDataDir();
      await rm(copy, { recursive: true });
      await run('cp', ['--archive', dataDir, copy]);
      await removeDataDir(dataDir);
      return startOn(copy);
    },
    async close() {
      await server.stop();
      await removeDataDir(dataDir);
    },
  };
}

async function postmasterOf(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]);
  return stdout.trim().split(/\s+/u).map(Number);
}
