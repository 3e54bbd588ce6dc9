import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { rebuildRecords } from '../apps/api/src/features/focus/index.ts';
import { createDatabase } from '../apps/api/src/platform/database/index.ts';
import { createLogger } from '../apps/api/src/platform/logger/index.ts';
import {
  type Api,
  createTokenMaker,
  makeRunDir,
  newSecret,
  orStop,
  type RunDatabase,
  removeRunDir,
  startApi,
  startDatabase,
} from '../bench/support/product.ts';
import { FocusLearner, type Stage, stages } from './support/focus-learner.ts';
import { createRandom, type Random } from './support/random.ts';
import { SettledLearner, type Settlement, settlements } from './support/settled-learner.ts';

/**
 * Brings learners into every state of the timer, lets all of them move at once, and kills the API or
 * PostgreSQL with -9 in the middle of it. What was acknowledged must be there, exactly; what was not
 * must have happened whole or not at all; and every visit must be without a hole.
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
/** A process looks for silences so long after its start, and settles them within so long. */
const SWEEP_AFTER_MS = 10_000;
const SWEEP_LASTS_MS = 100;
/** Learners with each settlement, and those whose silence the killed process is to notice. */
const SETTLED_EACH = 8;
const SILENT = 60;
const ANSWERS_WITHIN_MS = 30_000;

interface Given {
  readonly userId: number;
  readonly token: string;
  readonly baseUrl: string;
  readonly database: RunDatabase;
}

/** Somebody with whom something is under way when something is killed. */
interface Victim {
  prepare(): Promise<void>;
  attempt(): Promise<void>;
  judge(): Promise<void>;
  finish(): Promise<void>;
}

interface Site {
  readonly database: RunDatabase;
  readonly api: Api;
  readonly runDir: string;
}

/** New learners, each of whom `make` gives something to go through. */
async function addLearners<Plan, Made>(
  site: Site,
  secret: string,
  plans: readonly Plan[],
  make: (plan: Plan, given: Given) => Made,
): Promise<Made[]> {
  const makeToken = createTokenMaker(secret);
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

async function killPostgres({ runDir }: Site): Promise<void> {
  const pidFile = path.join(runDir, 'database/postgres/postmaster.pid');
  process.kill(Number.parseInt(await readFile(pidFile, 'utf8'), 10), 'SIGKILL');
}

/** Waits until API and database answer again. */
async function untilUp({ api, database }: Site): Promise<void> {
  const endMs = performance.now() + ANSWERS_WITHIN_MS;
  for (;;) {
    const isUp = await Promise.all([
      fetch(`http://127.0.0.1:${api.port}/readyz`).then((answer) => answer.ok),
      database.query('select 1').then(() => true),
    ])
      .then((all) => all.every(Boolean))
      .catch(() => false);
    if (isUp) return;
    if (performance.now() > endMs) throw new Error('the site did not come back');
    await delay(50);
  }
}

async function playRound(site: Site, learners: readonly Victim[], random: Random, victim: string) {
  for (const learner of learners) await learner.prepare();
  const moves = learners.map(async (learner) => {
    await delay(random.between(0, KILL_WITHIN_MS));
    await learner.attempt();
  });
  await delay(random.between(0, KILL_WITHIN_MS));
  await kill(site, victim);
  await Promise.all(moves);
  await conclude(site, learners);
}

async function kill(site: Site, victim: string): Promise<void> {
  if (victim === 'postgres') return killPostgres(site);
  await site.api.kill();
  await site.api.restart();
}

async function conclude(site: Site, learners: readonly Victim[]): Promise<void> {
  await untilUp(site);
  for (const learner of learners) await learner.judge();
  for (const learner of learners) await learner.finish();
}

/** Kills when the process looks for silences. */
async function playSweep(
  site: Site,
  learners: readonly Victim[],
  random: Random,
  victim: string,
): Promise<void> {
  await kill(site, 'api');
  const sweepAtMs = performance.now() + SWEEP_AFTER_MS;
  for (const learner of learners) await learner.prepare();
  const killAtMs = sweepAtMs + random.between(-SWEEP_LASTS_MS / 2, SWEEP_LASTS_MS);
  await delay(Math.max(0, killAtMs - performance.now()));
  await kill(site, victim);
  await conclude(site, learners);
}

async function run(site: Site, secret: string): Promise<boolean> {
  const random = createRandom(Number(values.seed));
  const learners = await addLearners(site, secret, each<Stage>(stages, EACH), (stage, given) => {
    return new FocusLearner({ ...given, stage });
  });
  const makeSettled = (settlement: Settlement, given: Given) =>
    new SettledLearner({ ...given, settlement });
  const called = settlements.filter((settlement) => settlement !== 'silence');
  const settled = await addLearners(site, secret, each(called, SETTLED_EACH), makeSettled);
  const silences = each<Settlement>(['silence'], SILENT);
  const silent = await addLearners(site, secret, silences, makeSettled);
  let kills = 0;
  for (const victim of ['api', 'postgres']) {
    for (let round = 0; round < Number(values.rounds); round += 1) {
      await playRound(site, [...learners, ...settled], random.split(), victim);
      kills += 1;
    }
    for (let round = 0; round < Number(values.sweeps); round += 1) {
      await playSweep(site, silent, random.split(), victim);
      kills += 1;
    }
  }
  const all = createDatabase({
    connection: { connectionString: site.database.url },
    logger: createLogger('error'),
  });
  const { corrected } = await rebuildRecords(all);
  await all.destroy();
  const everybody = [
    ...learners.map(({ counts }) => counts),
    ...[...settled, ...silent].map(({ counts }) => counts),
  ];
  const sum = (key: keyof FocusLearner['counts']) =>
    everybody.reduce((total, counts) => total + counts[key], 0);
  const figures = {
    seed: values.seed,
    kills,
    'states and transitions': stages.length,
    settlements: settlements.length,
    moves: sum('moves'),
    acknowledged: sum('acknowledged'),
    'not acknowledged, done': sum('done'),
    'not acknowledged, not done': sum('notDone'),
    'acknowledged and lost': sum('lost'),
    'half done': sum('half'),
    'visits with a hole': sum('holes'),
    'sums that are not those of the intervals': corrected,
  };
  for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${value}`);
  const { lost, half, holes } = {
    lost: figures['acknowledged and lost'],
    half: figures['half done'],
    holes: figures['visits with a hole'],
  };
  return figures.acknowledged > 0 && lost + half + holes + corrected === 0;
}

const runDir = await makeRunDir();
const secret = newSecret();
const database = await startDatabase(runDir);
let isGood = false;
try {
  const env = {
    DATABASE_URL: database.url,
    AUTH_SECRET: secret,
    RATE_LIMIT_SCALE: '1000',
    // What the faults cause is expected; CHAOS_LOG_LEVEL=error shows it.
    LOG_LEVEL: process.env.CHAOS_LOG_LEVEL ?? 'fatal',
  };
  const api = await orStop(database, startApi({ runDir, name: 'api', env }));
  try {
    isGood = await run({ database, api, runDir }, secret);
  } finally {
    await api.stop();
  }
} finally {
  await database.stop();
  await removeRunDir(runDir);
}
console.log(isGood ? 'passed' : 'FAILED');
process.exitCode = isGood ? 0 : 1;
