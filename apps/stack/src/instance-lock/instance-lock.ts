import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  identifyProcess,
  isAlive,
  type ProcessIdentity,
  type SupervisorLogger,
  writePrivateFile,
} from '../child-process/index.ts';

/** Contents of the lock file: the instance that holds it. */
export interface InstanceRecord extends ProcessIdentity {
  readonly status: 'starting' | 'running' | 'stopping';
  /** Its address, once it serves. */
  readonly url?: string;
}

export interface InstanceLock {
  /** Records that it serves now, and its address. */
  announceRunning(url: string): Promise<void>;
  /** Records that it is about to end, so that a new start waits. */
  announceStopping(): Promise<void>;
  release(): Promise<void>;
}

/** DATA_DIR belongs to another living instance. The message is for people. */
export class InstanceRunningError extends Error {
  override readonly name = 'InstanceRunningError';
  readonly record: InstanceRecord;

  constructor(record: InstanceRecord, dataDir: string) {
    const where = record.url === undefined ? 'is starting' : `runs at ${record.url}`;
    super(
      `Mogakgong already ${where} with DATA_DIR ${dataDir} (process ${record.pid}). Stop it first, or set another DATA_DIR and PORT.`,
    );
    this.record = record;
  }
}

export interface InstanceLockOptions {
  readonly dataDir: string;
  readonly logger: SupervisorLogger;
  /** How long to wait for a stopping instance. */
  readonly stoppingDeadlineMs?: number;
  /** Aborts the waiting. */
  readonly signal?: AbortSignal;
}

const LOCK_FILE = 'instance.json';
const STOPPING_DEADLINE_MS = 45_000;
const LOOK_EVERY_MS = 50;
const CLAIM_MAX_MS = 10_000;

/**
 * Makes this process the only one that works on DATA_DIR. The lock of a dead process is taken over, a
 * stopping process is waited for; a living one is an `InstanceRunningError`.
 */
export async function acquireInstanceLock(options: InstanceLockOptions): Promise<InstanceLock> {
  const { dataDir, logger, signal, stoppingDeadlineMs = STOPPING_DEADLINE_MS } = options;
  await mkdir(dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const path = join(dataDir, LOCK_FILE);
  const identity = await identifyProcess(process.pid);
  if (identity === undefined) {
    throw new Error('this process cannot be found in the list of processes');
  }
  const deadline = performance.now() + stoppingDeadlineMs;
  let isAnnounced = false;
  while (!(await tryCreate(path, { ...identity, status: 'starting' }))) {
    const holder = await readInstanceRecord(dataDir);
    if (holder === undefined || !(await isAlive(holder))) {
      await removeStale(path);
      continue;
    }
    if (holder.status !== 'stopping' || performance.now() > deadline) {
      throw new InstanceRunningError(holder, dataDir);
    }
    if (!isAnnounced) {
      logger.info(`Waiting for the earlier instance (process ${holder.pid}) to stop`);
      isAnnounced = true;
    }
    await delay(LOOK_EVERY_MS, undefined, { signal });
  }
  const announce = (record: Omit<InstanceRecord, keyof ProcessIdentity>) =>
    writePrivateFile(path, serialise({ ...identity, ...record }));
  return {
    announceRunning: (url) => announce({ status: 'running', url }),
    announceStopping: () => announce({ status: 'stopping' }),
    release: () => rm(path, { force: true }),
  };
}

/** The record in the lock of this DATA_DIR, alive or not; undefined if there is none or it is unreadable. */
export async function readInstanceRecord(dataDir: string): Promise<InstanceRecord | undefined> {
  return parseRecord(await readFile(join(dataDir, LOCK_FILE), 'utf8').catch(() => ''));
}

function parseRecord(text: string): InstanceRecord | undefined {
  try {
    const record = JSON.parse(text) as Partial<InstanceRecord>;
    return typeof record.pid === 'number' && typeof record.startedAt === 'string'
      ? (record as InstanceRecord)
      : undefined;
  } catch {
    return undefined;
  }
}

/** A hard link appears whole or not at all, and only one of several concurrent attempts succeeds. */
async function tryCreate(path: string, record: InstanceRecord): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  await writePrivateFile(draft, serialise(record));
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return false;
    }
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Removes the file of a dead instance. Only one process at a time checks and removes: otherwise a slow one
 * could remove the file of a process that took over meanwhile. The claim of a killed process expires after
 * ten seconds.
 */
async function removeStale(path: string): Promise<void> {
  const claim = `${path}.takeover`;
  try {
    await writeFile(claim, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const claimedAtMs = (await stat(claim).catch(() => undefined))?.mtimeMs ?? Date.now();
    if (Date.now() - claimedAtMs > CLAIM_MAX_MS) await rm(claim, { force: true });
    return;
  }
  try {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    if (text === undefined) return;
    const holder = parseRecord(text);
    if (holder === undefined || !(await isAlive(holder))) await rm(path, { force: true });
  } finally {
    await rm(claim, { force: true });
  }
}

function serialise({ pid, startedAt, status, url }: InstanceRecord): string {
  return `${JSON.stringify({ pid, startedAt, status, url })}\n`;
}
