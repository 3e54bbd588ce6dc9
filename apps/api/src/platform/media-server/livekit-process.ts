import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import {
  childEnded,
  identifyProcess,
  type ProcessIdentity,
  removePidFile,
  type SupervisedProcess,
  type SupervisorLogger,
  sendSignal,
  waitUntilGone,
  writePidFile,
  writePrivateFile,
} from '../child-process/index.ts';

export interface LaunchOptions {
  readonly binaryPath: string;
  readonly configurationPath: string;
  readonly configuration: string;
  readonly url: string;
  readonly pidFile: string;
  readonly logger: SupervisorLogger;
  readonly signal: AbortSignal;
}

const READY_DEADLINE_MS = 15_000;
const READY_POLL_MS = 25;
const HEALTH_INTERVAL_MS = 5_000;
const HEALTH_TIMEOUT_MS = 4_000;
/** So many failed health checks in a row mean that it hangs. */
const UNHEALTHY_AFTER = 3;
/** The first SIGTERM waits for all participants to leave; the second one ends the rooms. */
const SECOND_SIGTERM_AFTER_MS = 150;
const TERM_DEADLINE_MS = 5_000;
const KILL_DEADLINE_MS = 2_000;

/** Runs LiveKit and resolves when it answers. */
export async function launchLiveKit(options: LaunchOptions): Promise<SupervisedProcess> {
  await writePrivateFile(options.configurationPath, options.configuration);
  // Its own process group: Ctrl-C reaches us alone, and we stop it in good order.
  const child = spawn(options.binaryPath, ['--config', options.configurationPath], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = childEnded(child);
  const lastWords = forwardLog(child, options.logger);
  if (child.pid === undefined) {
    throw new Error(await exited);
  }
  const identity = await identifyProcess(child.pid);
  await writePidFile(options.pidFile, child.pid);
  const end = async () => {
    if (identity !== undefined) {
      await endProcess(identity);
    }
    await exited;
    await removePidFile(options.pidFile);
  };
  try {
    await waitUntilReady(options.url, exited, options.signal);
  } catch (error) {
    await end();
    const detail = lastWords();
    throw detail === '' ? error : new Error(`${(error as Error).message}: ${detail}`);
  }
  const watching = new AbortController();
  void exited.then(() => watching.abort());
  void watchHealth(options, identity, watching.signal);
  return {
    exited,
    stop: () => {
      watching.abort();
      return end();
    },
  };
}

/** Ends a media server: asks, asks again, then kills. */
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

async function waitUntilReady(
  url: string,
  exited: Promise<string>,
  signal: AbortSignal,
): Promise<void> {
  let ended: string | undefined;
  void exited.then((reason) => {
    ended = reason;
  });
  const deadline = performance.now() + READY_DEADLINE_MS;
  while (!(await isHealthy(url))) {
    if (ended !== undefined) {
      throw new Error(ended);
    }
    if (signal.aborted || performance.now() > deadline) {
      throw new Error(`it did not answer at ${url}`);
    }
    await delay(READY_POLL_MS);
  }
  if (ended !== undefined) {
    throw new Error(ended);
  }
}

async function watchHealth(
  options: LaunchOptions,
  identity: ProcessIdentity | undefined,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    await delay(HEALTH_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
    failures = signal.aborted || (await isHealthy(options.url)) ? 0 : failures + 1;
    if (failures === UNHEALTHY_AFTER && identity !== undefined) {
      options.logger.error({ pid: identity.pid }, 'The media server hangs; ending it');
      sendSignal(identity.pid, 'SIGKILL');
      return;
    }
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    return answer.ok && (await answer.text()) === 'OK';
  } catch {
    return false;
  }
}

/** Passes LiveKit's JSON log on to ours; answers how to read its last plain line, which tells why it gave up. */
function forwardLog(child: ChildProcess, logger: SupervisorLogger): () => string {
  let last = '';
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) {
      continue;
    }
    createInterface({ input: stream }).on('line', (line) => {
      const entry = parseEntry(line);
      if (entry === undefined) {
        last = line.trim() || last;
      }
      const level = entry?.level === 'error' ? 'error' : 'warn';
      logger[level]({ mediaServer: entry ?? line }, 'The media server says');
    });
  }
  return () => last;
}

function parseEntry(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
