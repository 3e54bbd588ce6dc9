import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

interface ProcessStat {
  readonly pid: number;
  readonly parentPid: number;
  /** Of the process and of its ended children. */
  readonly cpuSeconds: number;
}

function readStat(pid: number): ProcessStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; what follows it is numbers.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
    return { pid, parentPid: Number(fields[1]), cpuSeconds: ticks / TICKS_PER_SECOND };
  } catch {
    return undefined;
  }
}

/** A process and everything below it. */
export function processTree(rootPid: number): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .flatMap((name) => readStat(Number(name)) ?? []);
  const tree = new Set([rootPid]);
  for (let before = 0; before !== tree.size; ) {
    before = tree.size;
    for (const { pid, parentPid } of all) if (tree.has(parentPid)) tree.add(pid);
  }
  return [...tree];
}

/** Processor seconds (user and system) that processes have used so far, from /proc/PID/stat. */
export function cpuSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (readStat(pid)?.cpuSeconds ?? 0), 0);
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/mu.exec(status)?.[1]) * 1024;
}

/**
 * Memory of processes in bytes: what several of them share counts once, in equal shares. Ended ones have none.
 * @param kind `Pss_Anon` leaves out shared memory, for example PostgreSQL's cache, which fills up to its bound.
 */
export function proportionalBytes(
  pids: readonly number[],
  kind: 'Pss' | 'Pss_Anon' = 'Pss',
): number {
  return pids.reduce((sum, pid) => {
    try {
      const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
      return sum + Number(new RegExp(`^${kind}:\\s+(\\d+) kB$`, 'mu').exec(rollup)?.[1]) * 1024;
    } catch {
      return sum;
    }
  }, 0);
}

/** Open files and sockets of a process. */
export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** What a command prints about the machine, for the head of a table. */
export function machineLine(): string {
  const models = /^model name\s*:\s*(.+)$/mu.exec(readFileSync('/proc/cpuinfo', 'utf8'));
  const cores = readFileSync('/proc/cpuinfo', 'utf8').match(/^processor/gmu)?.length ?? 0;
  return `${cores} cores (${models?.[1] ?? 'unknown'}), Node ${process.versions.node}`;
}
