import { parseArgs } from 'node:util';
import { machineLine } from '../support/processes.ts';
import { makeRunDir, removeRunDir } from '../support/product.ts';
import { tableRow } from '../support/statistics.ts';
import { type Measured, measure, measureFewRooms, type Plan } from './measure.ts';
import { targets } from './targets.ts';

/**
 * Chat in rooms of 20: processor time a delivery, latency and memory, ours and its peers in one run.
 *
 *     npm run bench:chat [names of servers, e.g. mogakgong ws] [--few-rooms]
 *
 * With --few-rooms only the flood in ten rooms, against the bare `ws` loop.
 */
const { values, positionals: wanted } = parseArgs({
  options: { 'few-rooms': { type: 'boolean', default: false } },
  allowPositionals: true,
});
const plan: Plan = {
  size: { rooms: 50, members: 20 },
  fewRoomsSize: { rooms: 10, members: 20 },
  idleSize: { rooms: 250, members: 20 },
  seconds: 8,
  underWayPerRoom: 4,
  // A quiet room, and two loads.
  commonRates: [10, 1_000, 2_000],
};

const runDirs: string[] = [];
const runDir = async () => {
  const folder = await makeRunDir();
  runDirs.push(folder);
  return folder;
};

const round = (value: number, digits = 1) => value.toFixed(digits);
const perSecond = (micros: number) => Math.round(1e6 / micros).toLocaleString('en');

function printTables(all: readonly Measured[]): void {
  console.log(`\n${machineLine()}; ${plan.size.rooms} rooms of ${plan.size.members}\n`);
  const columns = [
    'server',
    'flood: deliveries/CPU-s',
    'flood: µs a delivery (+ database)',
    ...plan.commonRates.flatMap((rate) => [
      `${rate} msg/s: µs a delivery (+ database)`,
      `${rate} msg/s: p50 / p99 ms`,
    ]),
    'keeps up with, msg/s',
    'p50 / p99 ms at half of that',
    'KB a connection',
  ];
  console.log(tableRow(...columns));
  console.log(tableRow('---', ...columns.slice(1).map(() => '---:')));
  const cost = ({ serverMicros, databaseMicros }: Measured['flood']) =>
    round(serverMicros) + (databaseMicros > 0 ? ` (+ ${round(databaseMicros)})` : '');
  const latency = ({ p50Ms, p99Ms }: Measured['half']) => `${round(p50Ms)} / ${round(p99Ms)}`;
  for (const { name, flood, common, capacity, half, bytesPerConnection } of all) {
    console.log(
      tableRow(
        name,
        perSecond(flood.serverMicros),
        cost(flood),
        ...common.flatMap((paced) => [cost(paced), latency(paced)]),
        Math.round(capacity),
        latency(half),
        round(bytesPerConnection / 1_024),
      ),
    );
  }
  printRatios(all);
}

/** Processor time of ours ÷ a peer's, alone and with the database; below 1 is better for us. */
function printRatios([ours, ...peers]: readonly Measured[]): void {
  if (!ours || peers.length === 0) return;
  const loads = ['flood', ...plan.commonRates.map((rate) => `${rate} msg/s`)];
  console.log(`\n${tableRow('µs a delivery, ours ÷ peer (with database)', ...loads)}`);
  console.log(tableRow('---', ...loads.map(() => '---:')));
  for (const peer of peers) {
    const ratios = [ours.flood, ...ours.common].map(({ serverMicros, databaseMicros }, index) => {
      const theirs = [peer.flood, ...peer.common][index]?.serverMicros ?? Number.NaN;
      const whole = (serverMicros + databaseMicros) / theirs;
      return `${round(serverMicros / theirs, 2)} (${round(whole, 2)})`;
    });
    console.log(tableRow(peer.name, ...ratios));
  }
}

async function compareFewRooms(): Promise<void> {
  const { rooms, members } = plan.fewRoomsSize;
  console.log(
    `\n${rooms} rooms of ${members}, ${plan.underWayPerRoom} messages of each under way\n`,
  );
  console.log(
    tableRow('server', 'deliveries/s', 'µs a delivery (+ database)', 'p50 / p99 ms', 'ours ÷ peer'),
  );
  console.log(tableRow('---', '---:', '---:', '---:', '---:'));
  let oursMicros = Number.NaN;
  for (const spec of targets.slice(0, 2)) {
    const cost = await measureFewRooms(spec, await runDir(), plan);
    const micros = cost.serverMicros + cost.databaseMicros;
    if (spec === targets[0]) oursMicros = micros;
    console.log(
      tableRow(
        cost.name,
        Math.round(cost.deliveriesPerSecond),
        `${round(cost.serverMicros)} (+ ${round(cost.databaseMicros)})`,
        `${round(cost.p50Ms)} / ${round(cost.p99Ms)}`,
        round(oursMicros / micros, 2),
      ),
    );
  }
}

async function measureAll(): Promise<void> {
  const measured: Measured[] = [];
  for (const spec of targets) {
    if (wanted.length > 0 && !wanted.some((name) => spec.name.includes(name))) continue;
    const reason = spec.missing();
    if (reason !== null) {
      console.log(`skipped: ${spec.name}: ${reason}`);
      continue;
    }
    console.error(`measuring ${spec.name} …`);
    const outcome = await measure(spec, runDir, plan).catch((error: unknown) => {
      // Ours must run; a peer that does not is left out, with its reason.
      if (spec === targets[0]) throw error;
      console.log(`skipped: ${spec.name}: ${String(error)}`);
    });
    if (outcome) measured.push(outcome);
  }
  printTables(measured);
}

try {
  if (!values['few-rooms']) await measureAll();
  await compareFewRooms();
} finally {
  await Promise.all(runDirs.map(removeRunDir));
}
