import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * One process of this machine. The system gives a process id out again, so the id alone proves
 * nothing; the id together with the moment the process began does.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

const POLL_MS = 20;
const LOOK_AT_OTHERS_EVERY_MS = 500;

/** The identity of the living process `pid`, or undefined when there is none (a zombie counts as none). */
export async function identifyProcess(pid: number): Promise<ProcessIdentity | undefined> {
  const startedAt =
    process.platform === 'linux' ? await startOnLinux(pid) : await startByListing(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** True while the very process that `identity` names is alive. */
export async function isAlive(identity: ProcessIdentity): Promise<boolean> {
  const now = await identifyProcess(identity.pid);
  return now?.startedAt === identity.startedAt;
}

/** The program and arguments of process `pid`, joined by spaces; undefined when there is no such process. */
export async function commandLine(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const words = await readIfThere(`/proc/${pid}/cmdline`);
    return words?.replaceAll('\0', ' ').trim() || undefined;
  }
  return listProcess(pid, 'command=');
}

/** Waits until the process is gone, at most `deadlineMs`; answers whether it is. */
export async function waitUntilGone(
  identity: ProcessIdentity,
  deadlineMs: number,
): Promise<boolean> {
  const deadline = performance.now() + deadlineMs;
  while (await isAlive(identity)) {
    if (performance.now() >= deadline) {
      return false;
    }
    await delay(POLL_MS);
  }
  return true;
}

/** Resolves when a process that is not our child has ended; checks twice a second. */
export async function endOf(identity: ProcessIdentity): Promise<string> {
  while (await isAlive(identity)) {
    await delay(LOOK_AT_OTHERS_EVERY_MS);
  }
  return 'it ended';
}

/** Sends a signal; a process that has ended is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') {
      throw error;
    }
  }
}

async function startOnLinux(pid: number): Promise<string | undefined> {
  const stat = await readIfThere(`/proc/${pid}/stat`);
  if (stat === undefined) {
    return undefined;
  }
  // The program's name is in brackets and may contain any character: count fields after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const startTicks = fields[19];
  if (state === 'Z' || state === 'X' || startTicks === undefined) {
    return undefined;
  }
  const bootId = (await readIfThere('/proc/sys/kernel/random/boot_id'))?.trim() ?? '';
  return `${bootId}/${startTicks}`;
}

async function startByListing(pid: number): Promise<string | undefined> {
  return listProcess(pid, 'lstart=');
}

async function listProcess(pid: number, column: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('/bin/ps', [
      '-ww',
      '-o',
      column,
      '-p',
      String(pid),
    ]);
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
