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

/**
 * Brings learners into every state of the timer, lets all of them move at once, and kills the API or
 * PostgreSQL with -9 in the middle of it. What was acknowledged must be there, exactly; what was not
 * must have happened whole or not at all; and every visit must be without a hole.
 *
 *     npm run chaos:focus -- [--seed 1] [--rounds 8]
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '8' },
  },
});
/** Learners in each state with each transition. */
const EACH = 6;
const KILL_WITHIN_MS = 250;
const ANSWERS_WITHIN_MS = 30_000;

interface Site {
  readonly database: RunDatabase;
  readonly api: Api;
  readonly runDir: string;
}

async function addLearners(site: Site, secret: string): Promise<FocusLearner[]> {
  const makeToken = createTokenMaker(secret);
  const plans = stages.flatMap((stage) => Array<Stage>(EACH).fill(stage));
  const rows = await site.database.query<{ id: string }>(
    `insert into users (email, nickname, password_hash, introduction, profile_image, social_provider)
     select 'l' || n || '@example.org', 'l' || n, '', '', 'default.jpg', 'LOCAL'
     from generate_series(1, $1::integer) as n returning id`,
    [plans.length],
  );
  return Promise.all(
    rows.map(async ({ id }, index) => {
      const userId = Number(id);
      return new FocusLearner({
        userId,
        token: await makeToken(userId as Parameters<typeof makeToken>[0]),
        stage: plans[index] as Stage,
        baseUrl: `http://127.0.0.1:${site.api.port}`,
        database: site.database,
      });
    }),
  );
}

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

async function playRound(
  site: Site,
  learners: readonly FocusLearner[],
  random: Random,
  victim: string,
) {
  for (const learner of learners) await learner.prepare();
  const moves = learners.map(async (learner) => {
    await delay(random.between(0, KILL_WITHIN_MS));
    await learner.attempt();
  });
  await delay(random.between(0, KILL_WITHIN_MS));
  if (victim === 'api') {
    await site.api.kill();
    await site.api.restart();
  } else {
    await killPostgres(site);
  }
  await Promise.all(moves);
  await untilUp(site);
  for (const learner of learners) await learner.judge();
  for (const learner of learners) await learner.finish();
}

async function run(site: Site, secret: string): Promise<boolean> {
  const random = createRandom(Number(values.seed));
  const learners = await addLearners(site, secret);
  let kills = 0;
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const victim of ['api', 'postgres']) {
      await playRound(site, learners, random.split(), victim);
      kills += 1;
    }
  }
  const all = createDatabase({
    connection: { connectionString: site.database.url },
    logger: createLogger('error'),
  });
  const { corrected } = await rebuildRecords(all);
  await all.destroy();
  const sum = (of: (learner: FocusLearner) => number) =>
    learners.reduce((total, learner) => total + of(learner), 0);
  const figures = {
    seed: values.seed,
    kills,
    'states and transitions': stages.length,
    moves: sum(({ counts }) => counts.moves),
    acknowledged: sum(({ counts }) => counts.acknowledged),
    'not acknowledged, done': sum(({ counts }) => counts.done),
    'not acknowledged, not done': sum(({ counts }) => counts.notDone),
    'acknowledged and lost': sum(({ counts }) => counts.lost),
    'half done': sum(({ counts }) => counts.half),
    'visits with a hole': sum(({ counts }) => counts.holes),
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
