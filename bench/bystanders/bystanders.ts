import path from 'node:path';
import { startGenerator } from '../support/generator.ts';
import { cpuSeconds, machineLine } from '../support/processes.ts';
import {
  inRunDir,
  newSecret,
  orStop,
  type RunDatabase,
  type SeatedLearner,
  seatLearners,
  startApi,
  startDatabase,
} from '../support/product.ts';
import { percentile, tableRow, threePercentiles } from '../support/statistics.ts';
import type { LoadRequest, Measured } from './load.ts';

const WARM_UP_SECONDS = 8;
const ROOM_MEMBERS = 20;
const BYSTANDER_ROOMS = 10;

export const startLoad = () =>
  startGenerator<LoadRequest>(path.join(import.meta.dirname, 'load.ts'));

/** A running site of one process. */
export interface Site {
  readonly database: RunDatabase;
  readonly port: number;
  /** 20 learners of a room without bystanders. */
  readonly room: readonly SeatedLearner[];
}

/** Work of others on the same site. */
interface Burden {
  readonly name: string;
  /** Heading of the column for the results of `run`. */
  readonly results: string;
  readonly env?: NodeJS.ProcessEnv;
  /** @returns the work, which resolves to its results; and a function that ends what it started. */
  prepare(site: Site): Promise<{
    run(seconds: number): Promise<string>;
    stop(): Promise<void>;
  }>;
}

interface Phase extends Measured {
  readonly name: string;
  /** Processor time of the API for each second, in seconds. */
  readonly cpu: number;
  readonly results: string;
}

/**
 * 200 learners in ten rooms ask for today and profile and chat: prints what they wait for, without and with
 * a burden.
 */
export async function compareBystanders(burden: Burden, seconds: number): Promise<void> {
  const phases = await inRunDir((runDir) => measure(runDir, burden, seconds));
  console.log(`\n${machineLine()}; ${seconds} s each\n`);
  const columns = [
    'HTTP: p50 / p95 / p99 ms',
    'chat: p50 / p95 / p99 ms',
    'failures',
    'processor of the API',
    burden.results,
  ];
  console.log(tableRow('200 learners', ...columns));
  console.log(tableRow('---', ...columns.map(() => '---:')));
  for (const { name, httpMs, chatMs, failures, cpu, results } of phases) {
    const [http, chat] = [threePercentiles(httpMs), threePercentiles(chatMs)];
    console.log(tableRow(name, http, chat, failures, `${(cpu * 100).toFixed(0)} %`, results));
  }
  const [quiet, burdened] = phases;
  const p99 = (of: (phase: Phase) => readonly number[]) =>
    (percentile(of(burdened), 0.99) / percentile(of(quiet), 0.99)).toFixed(2);
  console.log(
    `\np99 with ÷ without: HTTP ${p99(({ httpMs }) => httpMs)}, chat ${p99(({ chatMs }) => chatMs)}`,
  );
}

async function measure(
  runDir: string,
  burden: Burden,
  seconds: number,
): Promise<readonly [Phase, Phase]> {
  const database = await startDatabase(runDir);
  const secret = newSecret();
  const rooms = BYSTANDER_ROOMS + 1;
  const learners = await seatLearners(database.url, { rooms, members: ROOM_MEMBERS, secret });
  const roomId = learners[0]?.roomId;
  const room = learners.filter((learner) => learner.roomId === roomId);
  const bystanders = learners.filter((learner) => learner.roomId !== roomId);
  const env = { DATABASE_URL: database.url, AUTH_SECRET: secret, ...burden.env };
  const api = await orStop(database, startApi({ runDir, name: 'api', env }));
  const load = startLoad();
  try {
    await load.ask({ do: 'connect', port: api.port, learners: bystanders });
    const work = await burden.prepare({ database, port: api.port, room });
    await load.ask({ do: 'live', seconds: WARM_UP_SECONDS });
    const phase = async (name: string, run?: typeof work.run): Promise<Phase> => {
      const before = cpuSeconds([api.pid()]);
      const [measured, results = '—'] = await Promise.all([
        load.ask({ do: 'live', seconds }) as Promise<Measured>,
        run?.(seconds),
      ]);
      const cpu = (cpuSeconds([api.pid()]) - before) / seconds;
      return { name, cpu, results, ...measured };
    };
    const quiet = await phase(`without ${burden.name}`);
    const burdened = await phase(`beside ${burden.name}`, work.run).finally(work.stop);
    return [quiet, burdened];
  } finally {
    await load.stop();
    await api.stop();
    await database.stop();
  }
}
