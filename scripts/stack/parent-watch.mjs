import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 500;
const SHELL = /^(sh|dash|bash|ash|zsh|busybox)$/;

/**
 * Calls `onGone` when the npm that runs us has ended without a signal (kill -9). npm starts
 * scripts through a shell, which may stay between npm and us and outlive it.
 */
export function watchNpm(onGone) {
  if (process.env.npm_lifecycle_event === undefined) {
    return;
  }
  const parent = process.ppid;
  const shell = readProcess(parent);
  const grandparent = shell !== undefined && SHELL.test(shell.name) ? shell.ppid : undefined;
  const timer = setInterval(() => {
    const orphaned =
      process.ppid !== parent ||
      (grandparent !== undefined && readProcess(parent)?.ppid !== grandparent);
    if (orphaned) {
      clearInterval(timer);
      onGone();
    }
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** Name and parent of a process, where the system has /proc. */
function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const open = stat.indexOf('(');
    const close = stat.lastIndexOf(')');
    const [, ppid] = stat.slice(close + 2).split(' ');
    return { name: stat.slice(open + 1, close), ppid: Number(ppid) };
  } catch {
    return undefined;
  }
}
