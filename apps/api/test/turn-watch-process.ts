/**
 * Loaded before the API (`--import`): sends its parent the longest turn of the event loop between two
 * messages, in milliseconds of the main thread's processor time, so that other programs do not count. Garbage
 * of earlier work is collected first (`--expose-gc`).
 */
const usedMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

let longestMs = 0;
let isWatching = false;

function watch(beforeMs: number): void {
  if (!isWatching) return;
  const nowMs = usedMs();
  longestMs = Math.max(longestMs, nowMs - beforeMs);
  setImmediate(watch, nowMs);
}

process.on('message', (message) => {
  if (message === 'begin') {
    globalThis.gc?.();
    longestMs = 0;
    isWatching = true;
    setImmediate(watch, usedMs());
  } else if (message === 'end') {
    isWatching = false;
    process.send?.({ longestMs });
  }
});
