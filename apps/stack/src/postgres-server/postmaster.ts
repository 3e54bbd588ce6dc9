import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  childEnded,
  commandLine,
  endOf,
  identifyProcess,
  openChildLog,
  type ProcessIdentity,
  type SupervisedProcess,
  type SupervisorLogger,
  sendSignal,
  waitUntilGone,
} from '../child-process/index.ts';
import type { PostgresBinaries } from './binaries.ts';
import { connectionTo, type Role, withClient } from './roles.ts';
import { SOCKET_PORT } from './socket-folder.ts';
import type { Unprivileged } from './unprivileged.ts';

export interface PostmasterOptions {
  readonly binaries: PostgresBinaries;
  readonly cluster: string;
  readonly socketDir: string;
  readonly logPath: string;
  readonly runAs: Unprivileged | undefined;
  readonly superuser: Role;
  readonly durable: boolean;
  readonly logger: SupervisorLogger;
}

const READY_POLL_MS = 15;
const WRONG_PASSWORD = '28P01';
/** Recovery after a crash can take long: how often it is reported, and how long it may take. */
const REPORT_WAIT_EVERY_MS = 5_000;
const READY_DEADLINE_MS = 10 * 60_000;
const FAST_SHUTDOWN_DEADLINE_MS = 30_000;
const IMMEDIATE_SHUTDOWN_DEADLINE_MS = 5_000;
const ORPHANS_DEADLINE_MS = 10_000;
const ORPHANS_POLL_MS = 100;

/** Adopts our database server if it still runs, otherwise starts it; resolves when it answers. */
export async function launchPostmaster(
  options: PostmasterOptions,
  signal: AbortSignal,
): Promise<SupervisedProcess> {
  const { cluster, socketDir, logger } = options;
  const leftOver = await findLeftOver(cluster);
  if (leftOver !== undefined) {
    if (await canAdopt(options)) {
      logger.info({ pid: leftOver.pid }, 'Taking over the database server that still runs');
      return { exited: endOf(leftOver), stop: () => stopPostmaster(leftOver, logger) };
    }
    logger.info({ pid: leftOver.pid }, 'Ending the database server of an earlier run');
    await stopPostmaster(leftOver, logger);
  }
  await replaceStalePid(join(cluster, 'postmaster.pid'));
  await replaceStalePid(join(socketDir, `.s.PGSQL.${SOCKET_PORT}.lock`));
  return startAfterOrphans(options, signal);
}

/** A killed server leaves workers behind for a moment; no new one can start until they have ended. */
async function startAfterOrphans(
  options: PostmasterOptions,
  signal: AbortSignal,
): Promise<SupervisedProcess> {
  const deadline = performance.now() + ORPHANS_DEADLINE_MS;
  for (;;) {
    try {
      return await startPostmaster(options, signal);
    } catch (error) {
      const waits = /shared memory block .* is still in use/.test((error as Error).message);
      if (!waits || signal.aborted || performance.now() > deadline) {
        throw error;
      }
      await delay(ORPHANS_POLL_MS);
    }
  }
}

async function startPostmaster(
  options: PostmasterOptions,
  signal: AbortSignal,
): Promise<SupervisedProcess> {
  const { binaries, runAs, logPath } = options;
  const log = await openChildLog(logPath);
  // Its own process group: Ctrl-C reaches only this process, and the database stops last.
  const child = spawn(binaries.postgres, parametersOf(options), {
    cwd: '/',
    env: { TZ: 'UTC', LC_ALL: 'C' },
    uid: runAs?.uid,
    gid: runAs?.gid,
    detached: true,
    stdio: ['ignore', log.file.fd, log.file.fd],
  });
  const exited = childEnded(child);
  await log.file.close();
  if (child.pid === undefined) {
    throw new Error(`PostgreSQL cannot run here: ${await exited}`);
  }
  const identity = await identifyProcess(child.pid);
  const stop = async () => {
    if (identity !== undefined) {
      await stopPostmaster(identity, options.logger);
    }
    await exited;
  };
  try {
    await waitUntilReady(options, exited, signal);
  } catch (error) {
    await stop();
    const detail = lastLogLine(await log.lines());
    throw new Error(`PostgreSQL did not start: ${(error as Error).message}. ${detail}`.trim());
  }
  return { exited, stop };
}

function parametersOf({ cluster, socketDir, durable }: PostmasterOptions): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    port: String(SOCKET_PORT),
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    // The API reports errors of single statements; they could contain user input.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    logging_collector: 'off',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  return [
    '-D',
    cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

async function waitUntilReady(
  options: PostmasterOptions,
  exited: Promise<string>,
  signal: AbortSignal,
): Promise<void> {
  let ended: string | undefined;
  void exited.then((reason) => {
    ended = reason;
  });
  const startedAt = performance.now();
  let reportAt = REPORT_WAIT_EVERY_MS;
  for (;;) {
    if (ended !== undefined) {
      throw new Error(ended);
    }
    if (await answers(options)) {
      return;
    }
    const waitedMs = performance.now() - startedAt;
    if (signal.aborted || waitedMs > READY_DEADLINE_MS) {
      throw new Error(`it does not answer after ${Math.round(waitedMs / 1000)} s`);
    }
    if (waitedMs > reportAt) {
      options.logger.info(`The database is still starting (${Math.round(waitedMs / 1000)} s)`);
      reportAt += REPORT_WAIT_EVERY_MS;
    }
    await delay(READY_POLL_MS);
  }
}

/** Also true if it refuses the password: the start then fails with that a moment later. */
async function answers({ socketDir, superuser }: PostmasterOptions): Promise<boolean> {
  return withClient(connectionTo(socketDir, superuser), async () => true).catch(
    (error: { code?: string }) => error.code === WRONG_PASSWORD,
  );
}

/** The living server of this very cluster, found by its `postmaster.pid`; never another program. */
async function findLeftOver(cluster: string): Promise<ProcessIdentity | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  const identity = pid > 0 ? await identifyProcess(pid) : undefined;
  const isOurs = (await commandLine(pid))?.includes(`postgres -D ${cluster} `);
  return isOurs ? identity : undefined;
}

/**
 * Replaces the process id in a dead server's lock file by our own. The old id may belong to another program
 * by now (after a restart of the machine or container) or to a zombie, and PostgreSQL would refuse to start;
 * our own counts as stale, as we are the new server's parent. The rest of the file stays: with it PostgreSQL
 * checks that no worker of the old server lives.
 */
async function replaceStalePid(path: string): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (/^\d/.test(text)) {
    await writeFile(path, text.replace(/^\d+/, String(process.pid)));
  }
}

/** True if the server on our socket serves this cluster with the same parameters as a new one. */
async function canAdopt(options: PostmasterOptions): Promise<boolean> {
  const wanted = parametersOf(options);
  const used = await readFile(join(options.cluster, 'postmaster.opts'), 'utf8').catch(() => '');
  if (!used.trimEnd().endsWith(wanted.map((word) => `"${word}"`).join(' '))) {
    return false;
  }
  return withClient(connectionTo(options.socketDir, options.superuser), async (client) => {
    const { rows } = await client.query<{ directory: string }>(
      `select current_setting('data_directory') as directory`,
    );
    return rows[0]?.directory === options.cluster;
  }).catch(() => false);
}

/**
 * Fast shutdown, which rolls back open transactions and writes everything; then immediate shutdown; then
 * SIGKILL.
 */
async function stopPostmaster(identity: ProcessIdentity, logger: SupervisorLogger): Promise<void> {
  sendSignal(identity.pid, 'SIGINT');
  if (await waitUntilGone(identity, FAST_SHUTDOWN_DEADLINE_MS)) {
    return;
  }
  logger.warn('The database does not stop; stopping it at once. It recovers on the next start.');
  sendSignal(identity.pid, 'SIGQUIT');
  if (!(await waitUntilGone(identity, IMMEDIATE_SHUTDOWN_DEADLINE_MS))) {
    sendSignal(identity.pid, 'SIGKILL');
    await waitUntilGone(identity, IMMEDIATE_SHUTDOWN_DEADLINE_MS);
  }
}

/** The reason for its end, from its own log. */
function lastLogLine(lines: readonly string[]): string {
  return lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? '';
}
