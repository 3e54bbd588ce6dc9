import { readFile, rm } from 'node:fs/promises';
import { writePrivateFile } from './private-file.ts';
import { identifyProcess, isAlive, type ProcessIdentity } from './process-identity.ts';

/** Stores the identity of process `pid`, so that a later start can find it again. */
export async function writePidFile(path: string, pid: number): Promise<void> {
  const identity = await identifyProcess(pid);
  if (identity !== undefined) {
    await writePrivateFile(path, `${JSON.stringify(identity)}\n`);
  }
}

/** The process of the file, if that very process is still alive; never another one with its id. */
export async function readLivePidFile(path: string): Promise<ProcessIdentity | undefined> {
  const identity = parseIdentity(await readFile(path, 'utf8').catch(() => ''));
  return identity !== undefined && (await isAlive(identity)) ? identity : undefined;
}

export async function removePidFile(path: string): Promise<void> {
  await rm(path, { force: true });
}

function parseIdentity(text: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const { pid, startedAt } = value as Partial<ProcessIdentity>;
    return typeof pid === 'number' && typeof startedAt === 'string'
      ? { pid, startedAt }
      : undefined;
  } catch {
    return undefined;
  }
}
