import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { rebuildRecords } from '../apps/api/src/features/visits/index.ts';
import { createDatabase } from '../apps/api/src/platform/database/index.ts';
import { createLogger } from '../apps/api/src/platform/logger/index.ts';
import { createTokenMaker, type RunDatabase } from '../bench/support/product.ts';
import { FocusLearner, type Stage, stages } from './support/focus-learner.ts';
import { createRandom, type Random } from './support/random.ts';
import { SettledLearner, type Settlement, settlements } from './support/settled-learner.ts';
import { type SingleSite, startSingleSite } from './support/site.ts';

/**
 * Brings learners into every state of the timer, lets all of them move at once, and kills the API or
 * PostgreSQL with -9 in the middle of it. What was acknowledged must be there, exactly; what was not
 * must have happened completely or not at all; and no visit may have a gap.
 *
 * So with what the server does by itself: silences and returns, visits that are renewed, intervals cut
 * by settings, titles. It is killed at the moment at which it looks for silences, too.
 *
 *     npm run chaos:focus -- [--seed 1] [--rounds 8] [--sweeps 3]
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '8' },
    sweeps: { type: 'string', default: '3' },
  },
});
/** Learners in each state with each transition. */
const EACH = 6;
const KILL_WITHIN_MS = 250;
/** A process searches for silences this long after its start, and settles them within this time. */
const SWEEP_AFTER_MS = 10_000;
const SWEEP_LASTS_MS = 100;
/** Learners with each settlement, and those whose silence the killed process is to notice. */
const SETTLED_EACH = 8;
const SILENT = 60;
/** PostgreSQL is started again after up to half a minute when it has been killed often. */
const ANSWERS_WITHIN_MS = 90_000;

interface Given {
  readonly userId: number;
  readonly token: string;
  readonly baseUrl: string;
  readonly database: RunDatabase;
}

/** What is killed. */
type Target = 'api' | 'postgres';
const targets: readonly Target[] = ['api', 'postgres'];

/** A learner with a change in progress during a kill. */
interface Subject {
  prepare(): Promise<void>;
  attempt(): Promise<void>;
  judge(): Promise<void>;
  finish(): Promise<void>;
}

/** Everybody who takes part. */
interface Cast {
  readonly learners: readonly FocusLearner[];
  readonly settled: readonly SettledLearner[];
  readonly silent: readonly SettledLearner[];
}

/** New learners, each of whom `make` gives something to go through. */
async function addLearners<Plan, Made>(
  site: SingleSite,
  plans: readonly Plan[],
  make: (plan: Plan, given: Given) => Made,
): Promise<Made[]> {
  const makeToken = createTokenMaker(site.secret);
  const rows = await site.database.query<{ id: string }>(
    `insert into users (email, nickname, password_hash, introduction, profile_image, social_provider)
     select gen_random_uuid() || '@example.org', left(gen_random_uuid()::text, 18), '', '',
            'default.jpg', 'LOCAL'
     from generate_series(1, $1::integer) as n returning id`,
    [plans.length],
  );
  return Promise.all(
    rows.map(async ({ id }, index) => {
      const userId = Number(id);
      const token = await makeToken(userId as Parameters<typeof makeToken>[0]);
      const baseUrl = `http://127.0.0.1:${site.api.port}`;
      return make(plans[index] as Plan, { userId, token, baseUrl, database: site.database });
    }),
  );
}

const each = <Plan>(plans: readonly Plan[], times: number) =>
  plans.flatMap((plan) => Array<Plan>(times).fill(plan));

/** Resolves when a new process has taken over: until then old connections may still answer. */
async function killPostgres({ runDir }: SingleSite): Promise<void> {
  const pidFile = path.join(runDir, 'database/postgres/postmaster.pid');
  const readPid = async () => Number.parseInt(await readFile(pidFile, 'utf8'), 10);
  const killed = await readPid();
  process.kill(killed, 'SIGKILL');
  await untilTrue(async () => (await readPid()) !== killed);
}

/** Waits until something is so, as long as a site may take to come back. */
async function untilTrue(isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + ANSWERS_WITHIN_MS;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > endMs) throw new Error('the site did not come back');
    await delay(50);
  }
}

/** Waits until API and database answer again. */
async function untilUp({ api, database }: SingleSite): Promise<void> {
  await untilTrue(async () => {
    const { ok } = await fetch(`http://127.0.0.1:${api.port}/readyz`);
    await database.query('select 1');
    return ok;
  });
}

async function playRound(
  site: SingleSite,
  subjects: readonly Subject[],
  random: Random,
  target: Target,
): Promise<void> {
  for (const subject of subjects) await subject.prepare();
  const moves = subjects.map(async (subject) => {
    await delay(random.between(0, KILL_WITHIN_MS));
    await subject.attempt();
  });
  await delay(random.between(0, KILL_WITHIN_MS));
  await kill(site, target);
  await Promise.all(moves);
  await conclude(site, subjects);
}

async function kill(site: SingleSite, target: Target): Promise<void> {
  if (target === 'postgres') return killPostgres(site);
  await site.api.kill();
  await site.api.restart();
}

async function conclude(site: SingleSite, subjects: readonly Subject[]): Promise<void> {
  await untilUp(site);
  for (const subject of subjects) await subject.judge();
  for (const subject of subjects) await subject.finish();
}

/** Kills when the process searches for silences. */
async function playSweep(
  site: SingleSite,
  subjects: readonly Subject[],
  random: Random,
  target: Target,
): Promise<void> {
  await kill(site, 'api');
  const sweepAtMs = performance.now() + SWEEP_AFTER_MS;
  for (const subject of subjects) await subject.prepare();
  const killAtMs = sweepAtMs + random.between(-SWEEP_LASTS_MS / 2, SWEEP_LASTS_MS);
  await delay(Math.max(0, killAtMs - performance.now()));
  await kill(site, target);
  await conclude(site, subjects);
}

async function gather(site: SingleSite): Promise<Cast> {
  const makeSettled = (settlement: Settlement, given: Given) =>
    new SettledLearner({ ...given, settlement });
  const called = settlements.filter((settlement) => settlement !== 'silence');
  return {
    learners: await addLearners(
      site,
      each<Stage>(stages, EACH),
      (stage, given) => new FocusLearner({ ...given, stage }),
    ),
    settled: await addLearners(site, each(called, SETTLED_EACH), makeSettled),
    silent: await addLearners(site, each<Settlement>(['silence'], SILENT), makeSettled),
  };
}

/** Plays every round; how many kills there were. */
async function play(site: SingleSite, { learners, settled, silent }: Cast): Promise<number> {
  const random = createRandom(Number(values.seed));
  let kills = 0;
  for (const target of targets) {
    for (let round = 0; round < Number(values.rounds); round += 1) {
      await playRound(site, [...learners, ...settled], random.split(), target);
      kills += 1;
    }
    for (let round = 0; round < Number(values.sweeps); round += 1) {
      await playSweep(site, silent, random.split(), target);
      kills += 1;
    }
  }
  return kills;
}

/** How many sums are not those of the intervals. */
async function countWrongSums({ database }: SingleSite): Promise<number> {
  const all = createDatabase({
    connection: { connectionString: database.url },
    logger: createLogger('error'),
  });
  const { corrected } = await rebuildRecords(all);
  await all.destroy();
  return corrected;
}

/** Prints the outcome; returns whether nothing was lost. */
function report({ learners, settled, silent }: Cast, kills: number, wrongSums: number): boolean {
  const everybody = [...learners, ...settled, ...silent].map(({ counts }) => counts);
  const sum = (key: keyof FocusLearner['counts']) =>
    everybody.reduce((total, counts) => total + counts[key], 0);
  const acknowledged = sum('acknowledged');
  const [lost, half, holes] = [sum('lost'), sum('half'), sum('holes')];
  const figures = {
    seed: values.seed,
    kills,
    'states and transitions': stages.length,
    settlements: settlements.length,
    moves: sum('moves'),
    acknowledged,
    'not acknowledged, done': sum('done'),
    'not acknowledged, not done': sum('notDone'),
    'acknowledged and lost': lost,
    'half done': half,
    'visits with a hole': holes,
    'sums that are not those of the intervals': wrongSums,
  };
  for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${value}`);
  return acknowledged > 0 && lost + half + holes + wrongSums === 0;
}

const site = await startSingleSite();
let isGood = false;
try {
  const cast = await gather(site);
  const kills = await play(site, cast);
  isGood = report(cast, kills, await countWrongSums(site));
} finally {
  await site.close();
}
console.log(isGood ? 'passed' : 'FAILED');
process.exitCode = isGood ? 0 : 1;
