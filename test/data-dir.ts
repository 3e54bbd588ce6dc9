import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Linux's file system in memory. */
const IN_MEMORY = '/dev/shm';
/** Free memory that is enough for the databases of a whole test run, their logs and the processes. */
const ENOUGH_MEMORY_BYTES = 4 * 2 ** 30;

/** A new DATA_DIR that the user who runs PostgreSQL can pass through, also when the tests run as root. */
export async function makeDataDir(parent?: string): Promise<string> {
  const dataDir = await mkdtemp(path.join(parent ?? (await fastFolder()), 'mogakgong-test-'));
  await chmod(dataDir, 0o711);
  return dataDir;
}

export async function removeDataDir(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

/** A folder for files that need not outlive the run: in memory where there is room, else on disk. */
export async function fastFolder(): Promise<string> {
  const { bavail, bsize } = await statfs(IN_MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  const isEnough = Math.min(bavail * bsize, process.availableMemory()) >= ENOUGH_MEMORY_BYTES;
  return isEnough ? IN_MEMORY : tmpdir();
}
