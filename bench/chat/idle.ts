import { cpuSeconds, machineLine } from '../support/processes.ts';
import { inRunDir } from '../support/product.ts';
import { tableRow } from '../support/statistics.ts';
import { startGenerator } from './generator.ts';
import { startOurs, type Target, type TargetSpec, wsLoopWithHeartBeats } from './targets.ts';

/**
 * What idle learners cost: processor time per learner and second, with heart-beats both ways
 * every four seconds; ours, and a bare `ws` loop in the same run. Ours receive chat, presence and
 * notices of their room, and their focus runs; the database is counted beside.
 *
 *     npm run bench:idle -- [learners] [seconds]
 */
const ROOM_MEMBERS = 20;
const LEARNERS = Number(process.argv[2] ?? 800);
const SECONDS = Number(process.argv[3] ?? 60);
/** What opening leaves behind must be over. */
const SETTLE_SECONDS = 20;

interface IdleCost {
  readonly name: string;
  /** Processor time a learner and second, in µs. */
  readonly serverMicros: number;
  readonly databaseMicros: number;
}

async function measure(name: string, target: Target): Promise<IdleCost> {
  const generator = startGenerator();
  try {
    const { protocol, port, members } = target;
    const spec = { protocol, port, members };
    await generator.ask({ do: 'open', spec, areReceiving: false });
    await generator.ask({ do: 'idle', seconds: SETTLE_SECONDS });
    const [server, database] = [target.serverPids(), target.databasePids()];
    const before = [cpuSeconds(server), cpuSeconds(database)] as const;
    const startMs = performance.now();
    await generator.ask({ do: 'idle', seconds: SECONDS });
    const learnerSeconds = (members.length * (performance.now() - startMs)) / 1_000;
    const micros = (seconds: number) => (seconds * 1e6) / learnerSeconds;
    const cost = {
      name,
      serverMicros: micros(cpuSeconds(server) - before[0]),
      databaseMicros: micros(cpuSeconds(database) - before[1]),
    };
    await generator.ask({ do: 'close' });
    return cost;
  } finally {
    await generator.stop();
    await target.stop();
  }
}

const ours: Pick<TargetSpec, 'name' | 'start'> = {
  name: 'mogakgong (chat, presence, notices, focus)',
  start: async (runDir, size) => ({
    ...(await startOurs(runDir, size)),
    protocol: 'mogakgong tab',
  }),
};

const size = { rooms: Math.ceil(LEARNERS / ROOM_MEMBERS), members: ROOM_MEMBERS };
const costs: IdleCost[] = [];
for (const { name, start } of [ours, wsLoopWithHeartBeats]) {
  await inRunDir(async (runDir) => {
    costs.push(await measure(name, await start(runDir, size)));
  });
}
console.log(`\n${machineLine()}; ${size.rooms} rooms of ${ROOM_MEMBERS}, ${SECONDS} s\n`);
console.log(tableRow('µs of processor a learner and second', 'server', 'database', 'together'));
console.log(tableRow('---', '---:', '---:', '---:'));
for (const { name, serverMicros, databaseMicros } of costs) {
  const cells = [serverMicros, databaseMicros, serverMicros + databaseMicros];
  console.log(tableRow(name, ...cells.map((value) => value.toFixed(1))));
}
