import { setTimeout as delay } from 'node:timers/promises';
import { cpuSeconds, residentBytes } from '../support/processes.ts';
import { percentile } from '../support/statistics.ts';
import { type Generator, startGenerator } from './generator.ts';
import type { LoadRequest } from './load.ts';
import type { RoomSize, Target, TargetSpec } from './targets.ts';

export interface Cost {
  readonly deliveriesPerSecond: number;
  /** Processor time of the server a delivery, in µs; the database's beside it. */
  readonly serverMicros: number;
  readonly databaseMicros: number;
}

interface Timed extends Cost {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Paced extends Timed {
  readonly messagesPerSecond: number;
}

export interface Measured {
  readonly name: string;
  readonly flood: Cost;
  /** At the rates that all servers are given. */
  readonly common: readonly Paced[];
  /** Messages a second that this server keeps up with when they come one by one. */
  readonly capacity: number;
  /** At half of that. */
  readonly half: Paced;
  readonly bytesPerConnection: number;
}

export interface Plan {
  readonly size: RoomSize;
  readonly fewRoomsSize: RoomSize;
  readonly idleSize: RoomSize;
  readonly seconds: number;
  readonly underWayPerRoom: number;
  /** Messages a second. */
  readonly commonRates: readonly number[];
}

const IDLE_SECONDS = 15;
/** A server keeps up with a rate while half of the messages arrive within this time. */
const KEEPING_UP_MS = 20;
const SEARCH_STEPS = 5;
const SEARCH_SECONDS = 3;

/** Processor time and deliveries while `work` runs. */
async function costOf(
  target: Target,
  generator: Generator,
  seconds: number,
  work: () => Promise<unknown>,
): Promise<Cost> {
  const count = async () => (await generator.ask({ do: 'count' })) as number;
  const [server, database] = [target.serverPids(), target.databasePids()];
  const before = [cpuSeconds(server), cpuSeconds(database), await count()] as const;
  await work();
  const delivered = (await count()) - before[2];
  const micros = (pids: readonly number[], from: number) =>
    ((cpuSeconds(pids) - from) * 1e6) / delivered;
  return {
    deliveriesPerSecond: delivered / seconds,
    serverMicros: micros(server, before[0]),
    databaseMicros: micros(database, before[1]),
  };
}

/** The same for a load that answers with latencies. */
async function timed(
  target: Target,
  generator: Generator,
  load: LoadRequest & { readonly seconds: number },
): Promise<Timed> {
  let latenciesMs: number[] = [];
  const cost = await costOf(target, generator, load.seconds, async () => {
    latenciesMs = (await generator.ask(load)) as number[];
  });
  return { ...cost, p50Ms: percentile(latenciesMs, 0.5), p99Ms: percentile(latenciesMs, 0.99) };
}

async function pacedRun(
  target: Target,
  generator: Generator,
  seconds: number,
  messagesPerSecond: number,
): Promise<Paced> {
  const cost = await timed(target, generator, { do: 'paced', seconds, messagesPerSecond });
  return { ...cost, messagesPerSecond };
}

/** The flood in few rooms: not many messages are under way that could share a commit. */
export async function measureFewRooms(
  spec: TargetSpec,
  runDir: string,
  { fewRoomsSize: size, seconds, underWayPerRoom: underWay }: Plan,
): Promise<Timed & { readonly name: string }> {
  const target = await spec.start(runDir, size);
  const generator = startGenerator();
  try {
    const { protocol, port, members } = target;
    await generator.ask({ do: 'open', spec: { protocol, port, members }, areReceiving: true });
    const flood = { do: 'flood', underWay } as const;
    await generator.ask({ ...flood, seconds: spec.warmUpSeconds });
    const cost = await timed(target, generator, { ...flood, seconds });
    await generator.ask({ do: 'close' });
    return { name: spec.name, ...cost };
  } finally {
    await generator.stop().catch(() => undefined);
    await target.stop().catch(() => undefined);
  }
}

/**
 * The rate of single messages that a server keeps up with, by halving. In the flood several messages
 * of a room are always under way and share their writes: half of that rate would be no half load.
 */
async function findCapacity(target: Target, generator: Generator, most: number): Promise<number> {
  let [kept, missed] = [0, most];
  for (let step = 0; step < SEARCH_STEPS; step += 1) {
    const rate = Math.round((kept + missed) / 2);
    const { p50Ms } = await pacedRun(target, generator, SEARCH_SECONDS, rate);
    if (p50Ms <= KEEPING_UP_MS) kept = rate;
    else missed = rate;
    await untilQuiet(generator);
  }
  return kept;
}

/** Waits until late messages of a server have arrived. */
async function untilQuiet(generator: Generator): Promise<void> {
  let [before, now] = [-1, 0];
  while (now !== before) {
    await delay(500);
    [before, now] = [now, (await generator.ask({ do: 'count' })) as number];
  }
}

/** Resident memory that a connection adds, after some seconds of nothing but heart-beats. */
async function idleBytes(spec: TargetSpec, runDir: string, size: RoomSize): Promise<number> {
  const target = await spec.start(runDir, size);
  try {
    // One-time costs of the first connections do not count per connection.
    const first = startGenerator();
    const { protocol, port, members } = target;
    const open = (generator: Generator, some: typeof members) =>
      generator.ask({ do: 'open', spec: { protocol, port, members: some }, areReceiving: false });
    await open(first, members.slice(0, size.members * 5));
    await first.ask({ do: 'idle', seconds: 2 });
    await first.ask({ do: 'close' });
    await first.stop();
    await delay(4_000);

    const before = residentBytes(target.pid);
    const generator = startGenerator();
    await open(generator, members);
    await generator.ask({ do: 'idle', seconds: IDLE_SECONDS });
    const after = residentBytes(target.pid);
    await generator.ask({ do: 'close' });
    await generator.stop();
    return (after - before) / members.length;
  } finally {
    await target.stop();
  }
}

/** Everything about one server; it is started for this and stopped afterwards. */
export async function measure(
  spec: TargetSpec,
  runDir: () => Promise<string>,
  plan: Plan,
): Promise<Measured> {
  const { size, seconds, underWayPerRoom: underWay } = plan;
  const target = await spec.start(await runDir(), size);
  const generator = startGenerator();
  try {
    const { protocol, port, members } = target;
    await generator.ask({ do: 'open', spec: { protocol, port, members }, areReceiving: true });
    await generator.ask({ do: 'flood', seconds: spec.warmUpSeconds, underWay });
    const flood = await costOf(target, generator, seconds, () =>
      generator.ask({ do: 'flood', seconds, underWay }),
    );
    const common: Paced[] = [];
    for (const rate of plan.commonRates) {
      common.push(await pacedRun(target, generator, seconds, rate));
      await untilQuiet(generator);
    }
    const most = flood.deliveriesPerSecond / size.members;
    const capacity = await findCapacity(target, generator, most);
    const half = await pacedRun(target, generator, seconds, Math.round(capacity / 2));
    await generator.ask({ do: 'close' });
    await generator.stop();
    await target.stop();
    const bytesPerConnection = await idleBytes(spec, await runDir(), plan.idleSize);
    return { name: spec.name, flood, common, capacity, half, bytesPerConnection };
  } catch (error) {
    await generator.stop().catch(() => undefined);
    await target.stop().catch(() => undefined);
    throw error;
  }
}
