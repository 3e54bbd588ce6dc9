import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../test/free-port.ts';
import { cpuSeconds, machineLine, residentBytes } from '../support/processes.ts';
import { inRunDir } from '../support/product.ts';
import { percentile, tableRow } from '../support/statistics.ts';
import { startGenerator } from './generator.ts';
import { startOurs } from './targets.ts';

/**
 * The cost of metrics: two processes side by side, one with METRICS_PORT and a scrape every five seconds (three times as
 * often as usual). Processor time at rest without learners, and of a delivery while the same flood of chat runs on one and
 * then on the other, in turns.
 *
 *     npm run bench:metrics -- [turns] [seconds at rest]
 */
const TURNS = Number(process.argv[2] ?? 6);
const REST_SECONDS = Number(process.argv[3] ?? 60);
const SCRAPE_EVERY_MS = 5_000;
const FLOOD_SECONDS = 5;
const SIZE = { rooms: 10, members: 20 };
const UNDER_WAY = 4;

/** Scrapes until `signal` aborts; the time of each scrape goes to `tookMs`. */
async function scrape(port: number, signal: AbortSignal, tookMs: number[]): Promise<void> {
  while (!signal.aborted) {
    const startMs = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    await answer.text();
    tookMs.push(performance.now() - startMs);
    // The end of the run aborts the wait.
    await delay(SCRAPE_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function startSide(runDir: string, env: Readonly<Record<string, string>>) {
  const target = await startOurs(runDir, SIZE, env);
  return { target, generator: startGenerator(), microsOfDelivery: [] as number[] };
}
type Side = Awaited<ReturnType<typeof startSide>>;

async function flood({ target, generator, microsOfDelivery }: Side): Promise<void> {
  const count = async () => (await generator.ask({ do: 'count' })) as number;
  const before = { cpu: cpuSeconds(target.serverPids()), delivered: await count() };
  await generator.ask({ do: 'flood', seconds: FLOOD_SECONDS, underWay: UNDER_WAY });
  const seconds = cpuSeconds(target.serverPids()) - before.cpu;
  microsOfDelivery.push((seconds * 1e6) / ((await count()) - before.delivered));
}

async function measure(off: Side, on: Side, tookMs: readonly number[]): Promise<void> {
  const sides = [off, on];
  // The work of the start must be over.
  await delay(10_000);
  const before = sides.map(({ target }) => cpuSeconds(target.serverPids()));
  await delay(REST_SECONDS * 1_000);
  const rest = sides.map(
    ({ target }, index) =>
      ((cpuSeconds(target.serverPids()) - (before[index] ?? 0)) * 1_000) / REST_SECONDS,
  );
  const memory = sides.map(({ target }) => residentBytes(target.pid) / 1024 ** 2);
  for (const { target, generator } of sides) {
    const { protocol, port, members } = target;
    await generator.ask({ do: 'open', spec: { protocol, port, members }, areReceiving: true });
    await generator.ask({ do: 'flood', seconds: FLOOD_SECONDS, underWay: UNDER_WAY });
  }
  for (let turn = 0; turn < TURNS; turn += 1) {
    const order = turn % 2 === 0 ? sides : sides.toReversed();
    for (const side of order) await flood(side);
  }
  const delivery = sides.map(({ microsOfDelivery }) => percentile(microsOfDelivery, 0.5));

  console.log(`\n${machineLine()}; ${SIZE.rooms} rooms of ${SIZE.members}, ${TURNS} turns\n`);
  console.log(tableRow('', 'without', 'with metrics', 'ratio'));
  console.log(tableRow('---', '---:', '---:', '---:'));
  const print = (name: string, [without = 0, withMetrics = 0]: readonly number[]) => {
    const cells = [without.toFixed(2), withMetrics.toFixed(2), (withMetrics / without).toFixed(3)];
    console.log(tableRow(name, ...cells));
  };
  print('ms of processor a second, at rest', rest);
  print('MB of memory, at rest', memory);
  print('µs of processor a delivery, flood (median)', delivery);
  for (const [index, { microsOfDelivery }] of sides.entries()) {
    const each = microsOfDelivery.map((micros) => micros.toFixed(2)).join(' ');
    console.log(`${index === 0 ? '\nwithout' : 'with'}: ${each} µs a delivery`);
  }
  console.log(
    `\n${tookMs.length} scrapes, half of them in ${percentile(tookMs, 0.5).toFixed(1)} ms`,
  );
}

await inRunDir((offDir) =>
  inRunDir(async (onDir) => {
    const metricsPort = await freePort();
    const off = await startSide(offDir, {});
    const on = await startSide(onDir, { METRICS_PORT: String(metricsPort) });
    const stopping = new AbortController();
    const tookMs: number[] = [];
    const scraping = scrape(metricsPort, stopping.signal, tookMs);
    try {
      await measure(off, on, tookMs);
    } finally {
      stopping.abort();
      await scraping;
      for (const { generator, target } of [off, on]) {
        await generator.stop();
        await target.stop();
      }
    }
  }),
);
