/**
 * node packages/stomp/fuzz/run.ts [frames] [seed]
 *
 * Runs `frames` frames (1,000,000) through real sessions and prints memory use. Exits with 1 if an error
 * escaped a session, or if the heap grew by more than 20 % after the first tenth. The heap is read after a
 * full collection; RSS also depends on when the collector ran.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { fuzzSessions } from './fuzz-sessions.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const frames = Number(process.argv[2] ?? 1_000_000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const print = (line: string) => process.stdout.write(`${line}\n`);
const MB = 1024 * 1024;

let unhandled = 0;
process.on('unhandledRejection', (error) => {
  unhandled += 1;
  print(`unhandled rejection: ${String(error)}`);
});

let heapAtTenth = 0;
let heap = 0;
const startMs = performance.now();
const result = await fuzzSessions(frames, seed, (sent) => {
  if (sent % Math.ceil(frames / 10) !== 0) return;
  collectGarbage();
  const { rss, heapUsed } = process.memoryUsage();
  heap = heapUsed;
  heapAtTenth ||= heap;
  print(`${sent} frames, heap ${(heap / MB).toFixed(1)} MB, RSS ${(rss / MB).toFixed(0)} MB`);
});
const seconds = (performance.now() - startMs) / 1000;
const growth = heapAtTenth === 0 ? 1 : heap / heapAtTenth;

print(
  `seed ${seed}: ${result.frames} frames in ${result.sessions} sessions, ${result.handled} handled, ` +
    `${result.errors} ERROR frames, ${result.messages} messages, ${seconds.toFixed(1)} s`,
);
print(
  `faults ${result.faults.length}, unhandled rejections ${unhandled}, heap × ${growth.toFixed(2)}`,
);
for (const fault of new Set(result.faults)) print(fault);
if (result.faults.length > 0 || unhandled > 0 || growth > 1.2) process.exitCode = 1;
