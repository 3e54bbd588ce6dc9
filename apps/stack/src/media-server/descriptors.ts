import { readdir, readFile } from 'node:fs/promises';

/** From this share of its limit on, a process may be unable to open another file or connection. */
const NEARLY_ALL = 0.95;

/** The most descriptors that a process may have; undefined where the system has no /proc. */
export async function descriptorLimit(pid: number): Promise<number | undefined> {
  const limits = await readFile(`/proc/${pid}/limits`, 'utf8').catch(() => '');
  const [, soft] = /^Max open files +(\d+)/mu.exec(limits) ?? [];
  return soft === undefined ? undefined : Number(soft);
}

/** Whether a process has about as many descriptors as it may have; false where the system has no /proc. */
export async function lacksDescriptors(pid: number): Promise<boolean> {
  const limit = await descriptorLimit(pid);
  const open = await readdir(`/proc/${pid}/fd`).catch(() => []);
  return limit !== undefined && open.length >= limit * NEARLY_ALL;
}
