import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { RoomServiceClient } from 'livekit-server-sdk';
import {
  childEnded,
  commandLine,
  endOf,
  endWhenHanging,
  identifyProcess,
  openChildLog,
  type ProcessIdentity,
  readLivePidFile,
  removePidFile,
  type SupervisedProcess,
  type SupervisorLogger,
  sendSignal,
  waitUntilGone,
  writePidFile,
  writePrivateFile,
} from '../child-process/index.ts';
import { lacksDescriptors } from './descriptors.ts';
import type { MediaKeys } from './keys.ts';
import { endsJunk } from './tcp-port-check.ts';

export interface LaunchOptions {
  readonly binaryPath: string;
  readonly configurationPath: string;
  readonly configuration: string;
  readonly url: string;
  readonly tcpPort: number;
  readonly keys: MediaKeys;
  readonly pidFile: string;
  readonly logPath: string;
  readonly checkEveryMs?: number | undefined;
  readonly logger: SupervisorLogger;
  readonly signal: AbortSignal;
}

const READY_DEADLINE_MS = 15_000;
const READY_POLL_MS = 25;
const HEALTH_INTERVAL_MS = 5_000;
const HEALTH_TIMEOUT_SECONDS = 4;
/** Number of failed health checks in a row after which the server counts as hanging. */
const UNHEALTHY_AFTER = 3;
/** The same for its TCP port, which does not come back by itself. */
const UNHEALTHY_TCP_AFTER = 2;
/** The first SIGTERM waits for participants to leave; a second one closes the rooms. */
const SECOND_SIGTERM_AFTER_MS = 150;
const TERM_DEADLINE_MS = 5_000;
const KILL_DEADLINE_MS = 2_000;

/**
 * Adopts the LiveKit of an earlier run if it serves with this very configuration, so that no picture stops;
 * otherwise ends it and starts one. Resolves when it answers.
 */
export async function launchLiveKit(options: LaunchOptions): Promise<SupervisedProcess> {
  const { pidFile, logger } = options;
  const leftOver = await readLivePidFile(pidFile);
  if (leftOver !== undefined) {
    if (await canAdopt(leftOver, options)) {
      logger.info({ pid: leftOver.pid }, 'Taking over the media server that still runs');
      return superviseHealth(options, leftOver, endOf(leftOver));
    }
    logger.info({ pid: leftOver.pid }, 'Ending the media server of an earlier run');
    await endProcess(leftOver);
  }
  return startLiveKit(options);
}

async function canAdopt(leftOver: ProcessIdentity, options: LaunchOptions): Promise<boolean> {
  const { binaryPath, configurationPath, configuration } = options;
  const used = await readFile(configurationPath, 'utf8').catch(() => '');
  const command = `${binaryPath} --config ${configurationPath}`;
  return (
    used === configuration &&
    (await commandLine(leftOver.pid)) === command &&
    (await isHealthy(options))
  );
}

async function startLiveKit(options: LaunchOptions): Promise<SupervisedProcess> {
  await writePrivateFile(options.configurationPath, options.configuration);
  const log = await openChildLog(options.logPath);
  // Its own process group: Ctrl-C reaches only this process, which then stops it in order.
  const child = spawn(options.binaryPath, ['--config', options.configurationPath], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['ignore', log.file.fd, log.file.fd],
  });
  const exited = childEnded(child);
  await log.file.close();
  const identity = child.pid === undefined ? undefined : await identifyProcess(child.pid);
  if (identity === undefined) {
    throw new Error([await exited, lastLogLine(await log.lines())].filter(Boolean).join(': '));
  }
  await writePidFile(options.pidFile, identity.pid);
  const running = superviseHealth(options, identity, exited);
  try {
    await waitUntilReady(options, exited);
  } catch (error) {
    await running.stop();
    const detail = lastLogLine(await log.lines());
    throw detail === '' ? error : new Error(`${(error as Error).message}: ${detail}`);
  }
  return running;
}

/** A running server, ended when it hangs. */
function superviseHealth(
  options: LaunchOptions,
  identity: ProcessIdentity,
  exited: Promise<string>,
): SupervisedProcess {
  const watching = new AbortController();
  void exited.then(() => watching.abort());
  watchHealth(options, identity, watching.signal);
  return {
    exited,
    async stop() {
      watching.abort();
      await endProcess(identity);
      await exited;
      await removePidFile(options.pidFile);
    },
  };
}

/** Ends a media server: SIGTERM twice, then SIGKILL. */
export async function endProcess(identity: ProcessIdentity): Promise<void> {
  sendSignal(identity.pid, 'SIGTERM');
  if (await waitUntilGone(identity, SECOND_SIGTERM_AFTER_MS)) {
    return;
  }
  sendSignal(identity.pid, 'SIGTERM');
  if (await waitUntilGone(identity, TERM_DEADLINE_MS)) {
    return;
  }
  sendSignal(identity.pid, 'SIGKILL');
  await waitUntilGone(identity, KILL_DEADLINE_MS);
}

async function waitUntilReady(options: LaunchOptions, exited: Promise<string>): Promise<void> {
  let ended: string | undefined;
  void exited.then((reason) => {
    ended = reason;
  });
  const deadline = performance.now() + READY_DEADLINE_MS;
  while (!(await isHealthy(options))) {
    if (ended !== undefined) {
      throw new Error(ended);
    }
    if (options.signal.aborted || performance.now() > deadline) {
      throw new Error(`it did not answer at ${options.url}`);
    }
    await delay(READY_POLL_MS);
  }
  if (ended !== undefined) {
    throw new Error(ended);
  }
}

/** Ends a server that hangs, or its TCP port alone. */
function watchHealth(options: LaunchOptions, { pid }: ProcessIdentity, signal: AbortSignal): void {
  const { tcpPort, logger, checkEveryMs: everyMs = HEALTH_INTERVAL_MS } = options;
  const watch = { pid, everyMs, logger, signal };
  void endWhenHanging({
    ...watch,
    name: 'The media server',
    works: () => isHealthy(options),
    hangsAfter: UNHEALTHY_AFTER,
  });
  void endWhenHanging({
    ...watch,
    name: 'The TCP port of the media server',
    works: async () =>
      (await endsJunk(tcpPort)) || !(await isHealthy(options)) || lacksDescriptors(pid),
    hangsAfter: UNHEALTHY_TCP_AFTER,
  });
}

/** Whether a server with our key answers there; another program's media server refuses it. */
async function isHealthy({ url, keys }: LaunchOptions): Promise<boolean> {
  const client = new RoomServiceClient(url, keys.apiKey, keys.apiSecret, {
    requestTimeout: HEALTH_TIMEOUT_SECONDS,
  });
  return client.listRooms(['no such room']).then(
    () => true,
    () => false,
  );
}

/** The last plain line of its log, which tells why it ended; other lines are JSON. */
function lastLogLine(lines: readonly string[]): string {
  return lines.findLast((line) => !line.startsWith('{')) ?? '';
}
