import type { ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import {
  childEnded,
  endWhenHanging,
  identifyProcess,
  readLivePidFile,
  removePidFile,
  type SupervisedProcess,
  type SupervisorLogger,
  sendSignal,
  waitUntilGone,
  writePidFile,
} from './child-process/index.ts';

/** Entry file of the API. */
export const API_ENTRY = path.resolve(import.meta.dirname, '../../api/src/main.ts');

/**
 * V8 would let the young generation grow to 120 MB in a burst of connections and never give it back:
 * with 5,000 idle ones that was most of what one cost. 16 MB a half cost no measurable processor time.
 */
export const API_NODE_OPTIONS = ['--max-semi-space-size=16'];

/** The API ends by itself within 10 s of the first signal. */
const STOP_DEADLINE_MS = 12_000;
const KILL_DEADLINE_MS = 2_000;
const ASK_EVERY_MS = 5_000;
/** 30 s without an answer: longer than anything blocks an API, also on a busy machine. */
const HANGS_AFTER = 6;

export interface ApiProcessOptions {
  readonly env: NodeJS.ProcessEnv;
  /** Folder for the ids of the processes, so that a later start can end left-over ones. */
  readonly pidFolder: string;
  /** Restarts the API whenever one of its files is saved. */
  readonly isWatched: boolean;
  /** Ends it without waiting for pending requests. */
  readonly hurry: AbortSignal;
  readonly logger: SupervisorLogger;
  /** Interval of the questions whether it still answers. */
  readonly askEveryMs?: number;
}

/**
 * Runs the API and resolves when it serves; the API reports a failed start on stderr itself. From then on it
 * is ended when it hangs. All processes accept from one socket of this process (decision 044), so a process
 * that stops listening leaves no connection behind.
 */
export async function launchApi(
  options: ApiProcessOptions,
  signal: AbortSignal,
): Promise<SupervisedProcess> {
  const { env, pidFolder, isWatched, hurry } = options;
  const watch = isWatched ? ['--watch', '--watch-preserve-output'] : [];
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({
    exec: API_ENTRY,
    args: [],
    execArgv: [...watch, ...API_NODE_OPTIONS],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const child = cluster.fork(env).process;
  const exited = childEnded(child);
  if (child.pid === undefined) throw new Error(await exited);
  const identity = await identifyProcess(child.pid);
  const pidFile = path.join(pidFolder, `${child.pid}.json`);
  await mkdir(pidFolder, { recursive: true, mode: 0o700 });
  await writePidFile(pidFile, child.pid);
  const watching = new AbortController();
  const kill = () => void child.kill('SIGKILL');
  hurry.addEventListener('abort', kill);
  void exited.then(() => {
    watching.abort();
    hurry.removeEventListener('abort', kill);
    return removePidFile(pidFile);
  });
  const stop = async () => {
    watching.abort();
    child.kill('SIGTERM');
    if (identity && !(await waitUntilGone(identity, STOP_DEADLINE_MS))) kill();
    await exited;
  };
  const onAbort = () => void stop();
  signal.addEventListener('abort', onAbort);
  try {
    const reason = await Promise.race([once(child, 'message').then(() => undefined), exited]);
    if (reason !== undefined) throw new Error(`the API did not start: ${reason}`);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
  // A watched one may wait in a debugger.
  if (!isWatched) watchAnswers(child, child.pid, options, watching.signal);
  return { exited, stop };
}

/** Ends an API that hangs: it is asked by a message, which its event loop alone can answer. */
function watchAnswers(
  child: ChildProcess,
  pid: number,
  { logger, askEveryMs = ASK_EVERY_MS }: ApiProcessOptions,
  signal: AbortSignal,
): void {
  let hasAnswered = true;
  child.on('message', () => {
    hasAnswered = true;
  });
  const works = () => {
    const worked = hasAnswered;
    hasAnswered = false;
    // A process that has closed the channel is ending.
    child.send('do you answer', () => undefined);
    return worked;
  };
  const name = 'An API process';
  const watch = { name, pid, works, everyMs: askEveryMs, hangsAfter: HANGS_AFTER };
  void endWhenHanging({ ...watch, logger, signal });
}

/** API processes stop by themselves when their stack is killed; one that does not is ended. */
export async function endLeftOverApis(pidFolder: string, logger: SupervisorLogger): Promise<void> {
  const names = await readdir(pidFolder).catch(() => []);
  await Promise.all(
    names.map(async (name) => {
      const pidFile = path.join(pidFolder, name);
      const leftOver = await readLivePidFile(pidFile);
      if (leftOver !== undefined && !(await waitUntilGone(leftOver, STOP_DEADLINE_MS))) {
        logger.warn({ pid: leftOver.pid }, 'Ending an API process of an earlier run');
        sendSignal(leftOver.pid, 'SIGKILL');
        await waitUntilGone(leftOver, KILL_DEADLINE_MS);
      }
      await removePidFile(pidFile);
    }),
  );
}
