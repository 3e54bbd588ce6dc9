import { readFileSync } from 'node:fs';
import { machineLine, residentBytes } from '../support/processes.ts';
import { makeRunDir, removeRunDir } from '../support/product.ts';
import { percentile, tableRow } from '../support/statistics.ts';
import { startGenerator } from './generator.ts';
import { startOurs } from './targets.ts';

/**
 * One learner of a busy room stops reading. The others must not notice, and the server must cut the
 * stalled connection instead of keeping what it does not read.
 *
 *     npm run bench:slow-reader
 */
const SIZE = { rooms: 4, members: 20 };
const CONTENT_LENGTH = 1_900;
const MESSAGES_PER_SECOND = 600;
const SECONDS = 20;
const WARM_UP_SECONDS = 3;
const LOOK_EVERY_MS = 50;
const ESTABLISHED = '01';

/** Whether the server's end of the connection from a port stands. */
function isEstablished(serverPort: number, clientPort: number): boolean {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
  const ends = new RegExp(`:${hex(serverPort)} [0-9A-F]+:${hex(clientPort)} ([0-9A-F]{2})`, 'u');
  const files = ['/proc/net/tcp', '/proc/net/tcp6'];
  return files.some((file) => ends.exec(readFileSync(file, 'utf8'))?.[1] === ESTABLISHED);
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
    const before = await paced(SECONDS);
    const memoryBefore = residentBytes(target.pid);
    const clientPort = (await generator.ask({ do: 'stall' })) as number;
    if (!isEstablished(port, clientPort)) throw new Error('the stalled connection is not found');
    const stalledAtMs = performance.now();
    let cutAfterSeconds = Number.NaN;
    const watch = setInterval(() => {
      if (isEstablished(port, clientPort)) return;
      clearInterval(watch);
      cutAfterSeconds = (performance.now() - stalledAtMs) / 1_000;
    }, LOOK_EVERY_MS);
    const after = await paced(SECONDS);
    clearInterval(watch);
    const megabytes = (residentBytes(target.pid) - memoryBefore) / 1024 ** 2;
    const kilobytes = (MESSAGES_PER_SECOND / SIZE.rooms) * CONTENT_LENGTH * cutAfterSeconds;
    console.log(`\n${machineLine()}; ${SIZE.rooms} rooms, ${CONTENT_LENGTH} characters a message`);
    console.log(`${MESSAGES_PER_SECOND} messages/s in all\n`);
    console.log(tableRow('others', 'p50 ms', 'p99 ms'));
    console.log(tableRow('---', '---:', '---:'));
    for (const [name, latencies] of [
      ['before', before],
      ['while one is stalled', after],
    ] as const) {
      const [p50, p99] = [0.5, 0.99].map((share) => percentile(latencies, share).toFixed(1));
      console.log(tableRow(name, p50 ?? '', p99 ?? ''));
    }
    console.log(
      `\ncut after ${cutAfterSeconds.toFixed(1)} s, about ${(kilobytes / 1024).toFixed(0)} KB unread ` +
        `(the kernel's own buffers included); server memory ${megabytes.toFixed(1)} MB more`,
    );
    await generator.ask({ do: 'close' });
  } finally {
    await generator.stop();
    await target.stop();
  }
}

const runDir = await makeRunDir();
try {
  await run(runDir);
} finally {
  await removeRunDir(runDir);
}
