import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { machineLine, residentBytes } from '../support/processes.ts';
import { type Api, inRunDir } from '../support/product.ts';
import { tableRow } from '../support/statistics.ts';
import {
  type Phase,
  type Rates,
  readInfo,
  readStatements,
  type StatementCost,
  watch,
} from './costs.ts';
import { type Done, HABITS, type Habit } from './habits.ts';
import { measureRounds, printRounds } from './rounds.ts';
import { openSite, type SeatedSite, takeDone } from './seated-site.ts';

/**
 * The cost of a site of many learners for its database, its Redis and its API, for each 1,000 of them. 10,000 are
 * connected: 2,000 by real sockets to two API processes, the others to the same API in processes of the load,
 * without sockets, so that their statements and their messages through Redis are real. Of those above 10,000
 * only the statements are real that a process has for learners who are there. First all are only there; then
 * the 10,000 do what `habits.ts` says: two cores do not carry more. `rounds` counts what one process with a
 * learner in each of 5,000 rooms asks the database while nothing happens.
 *
 *     npm run bench:site -- [--seats 10000,30000,100000] [--seconds 60] [--rounds 5000] [--statements 12]
 */
const { values: options } = parseArgs({
  options: {
    seats: { type: 'string', default: '10000,30000,100000' },
    seconds: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '5000' },
    statements: { type: 'string', default: '0' },
  },
});
const SECONDS = Number(options.seconds);
const ROOM_MEMBERS = 20;
const REAL_PROCESSES = 2;
const REAL_LEARNERS = 2_000;
/** Learners who do more than being there. */
const ACTIVE = 10_000;
/** Learners of one API process without sockets. */
const A_PROCESS = 5_000;
/** Node processes that share them. */
const LOAD_PROCESSES = 2;
/** New learners win their first title within a minute: what that costs is not the cost of being there. */
const WIN_SECONDS = 75;
const SETTLE_SECONDS = 30;

interface Figures {
  readonly seats: number;
  readonly processes: number;
  /** While all are only there, and while the active ones act. */
  readonly there: Phase;
  readonly acting: Phase;
  readonly done: Done;
  readonly failure: string;
  readonly apiBytes: number;
  readonly redisBytes: number;
  readonly channels: number;
  readonly statements: readonly StatementCost[];
}

/** Members of each room go to different processes, as a balancer spreads them. */
function spread<Item>(items: readonly Item[], over: number): Item[][] {
  return Array.from({ length: over }, (_, at) =>
    items.filter((_item, place) => place % over === at),
  );
}

async function populate({ learners, env, ...site }: SeatedSite) {
  const every = Math.min(learners.length, ACTIVE) / REAL_LEARNERS;
  const isReal = (_: unknown, place: number) =>
    place < ACTIVE && place % every === Math.floor(place / ROOM_MEMBERS) % every;
  const real = learners.filter(isReal);
  const others = learners.slice(0, ACTIVE).filter((learner, place) => !isReal(learner, place));
  const quiet = spread(learners.slice(ACTIVE), Math.ceil(learners.length / A_PROCESS));
  const apis: Api[] = [];
  const players = [site.startLearners()];
  for (const [at, ofOne] of spread(real, REAL_PROCESSES).entries()) {
    const api = await site.startApi(`api ${at + 1}`);
    apis.push(api);
    await players[0]?.ask({ do: 'connect', port: api.port, learners: ofOne });
  }
  const hosts = Array.from({ length: LOAD_PROCESSES }, () => site.startLearners());
  players.push(...hosts);
  const parts = spread(others, Math.max(LOAD_PROCESSES, Math.ceil(others.length / A_PROCESS)));
  await Promise.all(
    spread(parts, LOAD_PROCESSES).map((shares, at) => hosts[at]?.ask({ do: 'host', env, shares })),
  );
  const replay = { do: 'replay', databaseUrl: site.database.url, shares: quiet } as const;
  if (learners.length > ACTIVE) await hosts[0]?.ask(replay);
  const replayed = learners.length > ACTIVE ? quiet.length : 0;
  return { apis, players, processes: REAL_PROCESSES + parts.length + replayed };
}

async function measure(seats: number): Promise<Figures> {
  return inRunDir(async (runDir) => {
    const site = await openSite(runDir, { rooms: seats / ROOM_MEMBERS, members: ROOM_MEMBERS });
    try {
      const startMs = performance.now();
      const { apis, players, processes } = await populate(site);
      const tookSeconds = ((performance.now() - startMs) / 1_000).toFixed(0);
      console.error(`${seats} learners at ${processes} processes, connected in ${tookSeconds} s`);
      const { database, redis, learners } = site;
      const apiPids = apis.map((api) => api.pid());
      const measured = { database, redis, apiPids, loadPids: players.map(({ pid }) => pid) };
      await delay(WIN_SECONDS * 1_000);
      const there = await watch(measured, SECONDS);
      const lastRoomId = learners[Math.min(seats, ACTIVE) - 1]?.roomId ?? 0;
      for (const player of players) await player.ask({ do: 'start', lastRoomId });
      await delay(SETTLE_SECONDS * 1_000);
      await database.query('select pg_stat_statements_reset()');
      await takeDone(players);
      const acting = await watch(measured, SECONDS);
      const { done, failure } = await takeDone(players);
      const statements = await readStatements(database, Number(options.statements));
      const info = await readInfo(redis);
      const figures = {
        ...{ seats, processes, there, acting, done, failure, statements },
        apiBytes: apiPids.reduce((sum, pid) => sum + residentBytes(pid), 0),
        redisBytes: Number(info.get('used_memory')),
        channels: Number(info.get('pubsub_channels')),
      };
      await Promise.all(players.map((player) => player.ask({ do: 'stop' })));
      return figures;
    } finally {
      await site.stop();
    }
  });
}

const columns = [
  ...['learners', 'API processes', 'what', 'PostgreSQL: cores', 'statements/s', 'commits/s'],
  ...['WAL KB/s', 'Redis: cores', 'PUBLISH/s', 'limits/s', 'out KB/s', 'API: cores'],
  ...['load: cores in all', 'machine busy', 'load average'],
];

/** Of what happens in a second, in the columns from PostgreSQL to the API. */
const counted = [
  ['databaseSeconds', 1, 4],
  ['statements', 1, 1],
  ['commits', 1, 1],
  ['walBytes', 1e-3, 1],
  ['redisSeconds', 1, 4],
  ['published', 1, 1],
  ['limited', 1, 1],
  ['redisOutBytes', 1e-3, 1],
  ['apiSeconds', 1, 4],
] as const satisfies readonly (readonly [keyof Rates, number, number])[];

function printSize(figures: Figures): void {
  const { seats, processes, there, acting, done } = figures;
  const active = Math.min(seats, ACTIVE);
  const thousands = (key: keyof Rates, learners: number) =>
    (key === 'apiSeconds' ? REAL_LEARNERS : learners) / 1_000;
  const ofThere = ([key]: (typeof counted)[number]) => there[key] / thousands(key, seats);
  const ofActs = ([key]: (typeof counted)[number]) =>
    (acting[key] - there[key]) / thousands(key, active);
  const row = (what: string, of: typeof ofThere, phase?: Phase) =>
    console.log(
      tableRow(
        ...[seats.toLocaleString('en'), processes, what],
        ...counted.map((each) => (each[1] * of(each)).toFixed(each[2])),
        ...(phase
          ? [
              phase.loadSeconds.toFixed(2),
              `${(100 * phase.busy).toFixed(0)} %`,
              phase.load.toFixed(1),
            ]
          : ['', '', '']),
      ),
    );
  row('is there', ofThere, there);
  row('acts', ofActs, acting);
  row('both', (each) => ofThere(each) + ofActs(each));
  const expected = Object.values(HABITS).reduce((sum, every) => sum + active / every, 0) * SECONDS;
  const acts = (Object.keys(HABITS) as Habit[]).reduce((sum, habit) => sum + done[habit], 0);
  console.error(
    `done ${((100 * acts) / expected).toFixed(1)} % of what was due, ${done.failed} failed ` +
      `${figures.failure}; API ${(figures.apiBytes / REAL_PROCESSES / 1e6).toFixed(0)} MB a process; ` +
      ` Redis ${(figures.redisBytes / 1e6).toFixed(1)} MB, ${figures.channels} channels`,
  );
  for (const { text, calls, ms, rows } of figures.statements) {
    const cells = [calls, ms, rows].map((value) => (value / SECONDS).toFixed(1));
    console.error(tableRow(...cells, text.slice(0, 110).replaceAll('|', ' ')));
  }
}

console.log(`\n${machineLine()}; ${SECONDS} s a row; all of it for 1,000 learners\n`);
if (Number(options.rounds) > 0) {
  printRounds(await measureRounds(Number(options.rounds)));
}
const sizes = options.seats
  .split(',')
  .map(Number)
  .filter((seats) => seats > 0);
if (sizes.length > 0) {
  console.log(`\n${tableRow(...columns)}`);
  console.log(tableRow(...columns.map(() => '---:')));
}
for (const seats of sizes) printSize(await measure(seats));
