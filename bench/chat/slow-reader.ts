import { readFileSync } from 'node:fs';
import { machineLine, residentBytes } from '../support/processes.ts';
import { inRunDir } from '../support/product.ts';
import { percentile, tableRow } from '../support/statistics.ts';
import { type Generator, startGenerator } from './generator.ts';
import { startOurs, type Target } from './targets.ts';

/**
 * One learner of a busy room stops reading. The others must not be affected, and the server must close the
 * stalled connection instead of keeping what it does not read.
 *
 *     npm run bench:slow-reader
 */
const SIZE = { rooms: 4, members: 20 };
const CONTENT_LENGTH = 1_900;
const MESSAGES_PER_SECOND = 600;
const WARM_UP_SECONDS = 3;
/** Phases with and without a stalled reader alternate: other load on the machine affects both alike. */
const TURNS = 8;
const TURN_SECONDS = 4;
/** The kernel's buffers come first: they hold up to ten megabytes of a connection. */
const CUT_DEADLINE_SECONDS = 90;
const LOOK_EVERY_MS = 50;
const ESTABLISHED = '01';

/** Whether the server's end of the connection from a port is open. */
function isEstablished(serverPort: number, clientPort: number): boolean {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
  const ends = new RegExp(`:${hex(serverPort)} [0-9A-F]+:${hex(clientPort)} ([0-9A-F]{2})`, 'u');
  const files = ['/proc/net/tcp', '/proc/net/tcp6'];
  return files.some((file) => ends.exec(readFileSync(file, 'utf8'))?.[1] === ESTABLISHED);
}

type Paced = (seconds: number) => Promise<number[]>;

/** Latencies of the others, while all read and while one does not, in turns. */
async function measureOthers(generator: Generator, paced: Paced) {
  const [free, stalled]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn += 1) {
    free.push(...(await paced(TURN_SECONDS)));
    await generator.ask({ do: 'stall' });
    stalled.push(...(await paced(TURN_SECONDS)));
    await generator.ask({ do: 'resume' });
  }
  return { free, stalled };
}

/** One reads nothing until the server has cut them: after how long, and what it cost. */
async function measureCut(target: Target, generator: Generator, paced: Paced) {
  const memoryBefore = residentBytes(target.pid);
  const clientPort = (await generator.ask({ do: 'stall' })) as number;
  if (!isEstablished(target.port, clientPort)) throw new Error('the stalled one is not found');
  const stalledAtMs = performance.now();
  let seconds = Number.NaN;
  const watch = setInterval(() => {
    if (isEstablished(target.port, clientPort)) return;
    clearInterval(watch);
    seconds = (performance.now() - stalledAtMs) / 1_000;
  }, LOOK_EVERY_MS);
  const deadlineMs = stalledAtMs + CUT_DEADLINE_SECONDS * 1_000;
  while (Number.isNaN(seconds) && performance.now() < deadlineMs) await paced(TURN_SECONDS);
  clearInterval(watch);
  if (Number.isNaN(seconds)) throw new Error('the stalled one was not cut');
  return { seconds, moreBytes: residentBytes(target.pid) - memoryBefore };
}

function printOthers({ free, stalled }: { free: number[]; stalled: number[] }): void {
  console.log(`\n${machineLine()}; ${SIZE.rooms} rooms, ${CONTENT_LENGTH} characters a message`);
  console.log(
    `${MESSAGES_PER_SECOND} messages/s in all, ${TURNS} turns of ${TURN_SECONDS} s each\n`,
  );
  console.log(tableRow('the others', 'p50 ms', 'p99 ms'));
  console.log(tableRow('---', '---:', '---:'));
  const of = (latencies: number[]) => [0.5, 0.99].map((share) => percentile(latencies, share));
  const [whole, slowed] = [of(free), of(stalled)];
  console.log(tableRow('all read', ...whole.map((ms) => ms.toFixed(1))));
  console.log(tableRow('one is stalled', ...slowed.map((ms) => ms.toFixed(1))));
  const ratios = slowed.map((ms, index) => (ms / (whole[index] ?? Number.NaN)).toFixed(2));
  console.log(tableRow('ratio', ...ratios));
}

async function run(runDir: string): Promise<void> {
  const target = await startOurs(runDir, SIZE);
  const generator = startGenerator();
  const { protocol, port, members } = target;
  const spec = { protocol, port, members, contentLength: CONTENT_LENGTH, areAllPrompt: true };
  const paced = async (seconds: number) => {
    const request = { do: 'paced', seconds, messagesPerSecond: MESSAGES_PER_SECOND } as const;
    return (await generator.ask(request)) as number[];
  };
  try {
    await generator.ask({ do: 'open', spec, areReceiving: true });
    await paced(WARM_UP_SECONDS);
    printOthers(await measureOthers(generator, paced));
    const { seconds, moreBytes } = await measureCut(target, generator, paced);
    const unread = (MESSAGES_PER_SECOND / SIZE.rooms) * CONTENT_LENGTH * seconds;
    const megabytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(1);
    console.log(
      `\ncut after ${seconds.toFixed(1)} s with about ${megabytes(unread)} MB unread (the kernel's ` +
        `own buffers included); server memory ${megabytes(moreBytes)} MB more`,
    );
    await generator.ask({ do: 'close' });
  } finally {
    await generator.stop();
    await target.stop();
  }
}

await inRunDir(run);
