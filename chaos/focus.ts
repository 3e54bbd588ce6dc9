import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { rebuildRecords } from '../apps/api/src/features/focus/index.ts';
import { createDatabase } from '../apps/api/src/platform/database/index.ts';
import { createLogger } from '../apps/api/src/platform/logger/index.ts';
import { createTokenMaker } from '../bench/support/product.ts';
import { createRandom, type Random } from '../bench/support/random.ts';
import { apiPids, postgresPid } from '../test/running-stack.ts';
import { FocusLearner, type Stage, stages } from './support/focus-learner.ts';
import { type Following, FollowingLearner, followings } from './support/following-learner.ts';
import { runChaos } from './support/run-chaos.ts';
import { SettledLearner, type Settlement, settlements } from './support/settled-learner.ts';
import type { Site, SiteDatabase } from './support/site.ts';

/**
 * Brings learners into every state of the timer, lets all of them move at once, and kills one API
 * process, both, or PostgreSQL with -9 in the middle of it. What was acknowledged must be there, exactly; what was not
 * must have happened completely or not at all; and no visit may have a gap.
 *
 * Some learners follow a schedule, whose phases pass meanwhile: their focus is that of arithmetic, to the millisecond.
 *
 * So with what the server does by itself: silences and returns, visits that are renewed, intervals cut
 * by settings, titles. They are killed at the moment at which silences are searched for, too.
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
/** One process of the site searches for silences so often, and settles them within this time. */
const SWEEP_EVERY_MS = 10_000;
const SWEEP_LASTS_MS = 100;
const SEARCH_POLL_MS = 5;
/** Learners with each settlement, and those whose silence the killed process is to notice. */
const SETTLED_EACH = 8;
const SILENT = 60;
/** What has been killed often is started again after up to half a minute. */
const ANSWERS_WITHIN_MS = 90_000;

interface Given {
  readonly userId: number;
  readonly token: string;
  readonly baseUrl: string;
  readonly database: SiteDatabase;
}

/** What is killed. */
type Target = 'an API process' | 'all API processes' | 'PostgreSQL';
const targets: readonly Target[] = ['an API process', 'all API processes', 'PostgreSQL'];

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
  readonly followers: readonly FollowingLearner[];
}

/** New learners, each of whom `make` gives something to go through. */
async function addLearners<Plan, Made>(
  site: Site,
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
      const baseUrl = `http://127.0.0.1:${site.stack.port}`;
      return make(plans[index] as Plan, { userId, token, baseUrl, database: site.database });
    }),
  );
}

const each = <Plan>(plans: readonly Plan[], times: number) =>
  plans.flatMap((plan) => Array<Plan>(times).fill(plan));

/** Resolves when something new is in the place of what was killed: until then that may still answer. */
async function kill(site: Site, target: Target, random: Random): Promise<void> {
  if (target === 'PostgreSQL') {
    const killed = await postgresPid(site.stack);
    process.kill(killed, 'SIGKILL');
    await untilTrue(async () => (await postgresPid(site.stack)) !== killed);
    return;
  }
  const pids = await apiPids(site.stack);
  const killed = target === 'an API process' ? [random.pick(pids)] : pids;
  for (const pid of killed) process.kill(pid, 'SIGKILL');
  await untilTrue(async () => {
    const present = await apiPids(site.stack);
    return present.length === pids.length && !present.some((pid) => killed.includes(pid));
  });
}

/** Waits until something is so, as long as a site may take to come back. */
async function untilTrue(isSo: () => Promise<boolean>, pollMs = 50): Promise<void> {
  const endMs = performance.now() + ANSWERS_WITHIN_MS;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > endMs) throw new Error('the site did not come back');
    await delay(pollMs);
  }
}

/** Waits until API and database answer again. */
async function untilUp({ stack, database }: Site): Promise<void> {
  await untilTrue(async () => {
    const { ok } = await fetch(`http://127.0.0.1:${stack.port}/readyz`);
    await database.query('select 1');
    return ok;
  });
}

async function playRound(
  site: Site,
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
  await kill(site, target, random);
  await Promise.all(moves);
  await conclude(site, subjects);
}

async function conclude(site: Site, subjects: readonly Subject[]): Promise<void> {
  await untilUp(site);
  for (const subject of subjects) await subject.judge();
  for (const subject of subjects) await subject.finish();
}

/** Kills at the moment of a search for silences: the first learner shows when the one before it was. */
async function playSweep(
  site: Site,
  [first, ...others]: readonly SettledLearner[],
  random: Random,
  target: Target,
): Promise<void> {
  if (!first) throw new Error('nobody is silent');
  await first.prepare();
  await untilTrue(() => first.isSettled(), SEARCH_POLL_MS);
  let sweepAtMs = performance.now() + SWEEP_EVERY_MS;
  for (const subject of others) await subject.prepare();
  while (sweepAtMs - SWEEP_LASTS_MS < performance.now()) sweepAtMs += SWEEP_EVERY_MS;
  const killAtMs = sweepAtMs + random.between(-SWEEP_LASTS_MS / 2, SWEEP_LASTS_MS);
  await delay(Math.max(0, killAtMs - performance.now()));
  await kill(site, target, random);
  await conclude(site, others);
}

async function gather(site: Site): Promise<Cast> {
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
    followers: await addLearners(
      site,
      each<Following>(followings, EACH),
      (following, given) => new FollowingLearner({ ...given, following }),
    ),
  };
}

/** Plays every round; how many kills there were. */
async function play(site: Site, { learners, settled, silent, followers }: Cast): Promise<number> {
  const random = createRandom(Number(values.seed));
  let kills = 0;
  for (const target of targets) {
    for (let round = 0; round < Number(values.rounds); round += 1) {
      await playRound(site, [...learners, ...followers, ...settled], random.split(), target);
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
async function countWrongSums({ database }: Site): Promise<number> {
  const all = createDatabase({
    connection: { connectionString: database.url },
    logger: createLogger('error'),
  });
  const { corrected } = await rebuildRecords(all);
  await all.destroy();
  return corrected;
}

/** Prints the outcome; returns whether nothing was lost. */
function report(cast: Cast, kills: number, wrongSums: number): boolean {
  const { learners, settled, silent, followers } = cast;
  const everybody = [...learners, ...settled, ...silent, ...followers].map(({ counts }) => counts);
  const sum = (key: keyof FocusLearner['counts']) =>
    everybody.reduce((total, counts) => total + counts[key], 0);
  const acknowledged = sum('acknowledged');
  const [lost, half, holes] = [sum('lost'), sum('half'), sum('holes')];
  const readings = followers.reduce((total, { counts }) => total + counts.readings, 0);
  const wrong = followers.reduce((total, { counts }) => total + counts.wrong, 0);
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
    'changes of a timer that follows a schedule': followings.length,
    'readings of their focus': readings,
    'readings that differ from the arithmetic': wrong,
  };
  for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${value}`);
  return acknowledged > 0 && readings > 0 && lost + half + holes + wrongSums + wrong === 0;
}

await runChaos(async (site) => {
  const cast = await gather(site);
  const kills = await play(site, cast);
  return report(cast, kills, await countWrongSums(site));
});
