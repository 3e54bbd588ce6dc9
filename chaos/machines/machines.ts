import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createRandom } from '../../bench/support/random.ts';
import { tableRow } from '../../bench/support/statistics.ts';
import { playOn } from '../../e2e/support/journey.ts';
import { buildWeb } from '../../scripts/stack/web-build.mjs';
import { makeDataDir, removeDataDir } from '../../test/data-dir.ts';
import { hasRedis } from '../../test/redis-server.ts';
import { MEMBERS, operations } from '../support/actors.ts';
import { findLies } from '../support/lies.ts';
import { SKIPPED } from '../support/run-chaos.ts';
import { openLooks } from './looks.ts';
import { PORT } from './services.ts';
import { startMachinesSite } from './site.ts';
import { machineFaults, type Outcome, ROOMS, strikeMachine } from './strike.ts';

/**
 * Five machines, each a network namespace: A and B with an API, C with PostgreSQL and Redis, D and E with a
 * LiveKit. Each is killed, cut off and black-holed in turn while learners chat, draw, press the timer, enter
 * and leave, join the media, and look at pictures. Nothing acknowledged may be lost, doubled or foreign, and
 * everything goes on without a hand.
 *
 *     npm run chaos:machines -- [--seed 1] [--only TEXT]
 *
 * With --only it strikes with the faults whose names contain the text.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
  },
});
const DEADLINE_MS = 12 * 60_000;
/** The data of a run that plays inside the namespaces; else this process is the one that makes them. */
const DATA_DIR = process.env.CHAOS_MACHINES_DIR;

/**
 * Namespaces of network and processes: their processes end with the first of them, whatever
 * ends that, and nothing of them is seen outside.
 */
const OWN_NAMESPACES = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc'];
/** What machines are made of. */
const TRIAL = 'ip link add hub type bridge && iptables -L && unshare --net true';

const isGood = ({ lost, doubled, foreign, healedMs, failures }: Outcome) =>
  lost + doubled + foreign + failures.length === 0 && healedMs !== null;

const head = [
  ...['fault', 'acknowledged', 'lost', 'doubled', 'foreign'],
  ...operations.map((operation) => `${operation}, s`),
  ...['pictures, s', 'healed after, s', ''],
];
const seconds = (ms: number) => (ms / 1_000).toFixed(1);

function rowOf(outcome: Outcome): string {
  const { fault, acknowledged, lost, doubled, foreign, longestMs, stillMs, healedMs } = outcome;
  return tableRow(
    ...[fault, acknowledged, lost, doubled, foreign],
    ...operations.map((operation) => seconds(longestMs.get(operation) ?? 0)),
    ...[seconds(stillMs), healedMs === null ? 'NO' : seconds(healedMs)],
    isGood(outcome) ? '' : 'FAILED',
  );
}

/** Plays the run on the machines; the exit code. */
async function play(dataDir: string): Promise<number> {
  const startedAtMs = performance.now();
  const random = createRandom(Number(values.seed));
  const site = await startMachinesSite(dataDir);
  const url = `http://localhost:${PORT}`;
  playOn({ url, port: PORT, dataDir });
  const looks = await openLooks(url);
  const unseen = await findLies(site, random.split());
  for (const lie of unseen) console.log(`FAILED: the run does not see ${lie}`);
  console.log(
    `${ROOMS * MEMBERS} learners in ${ROOMS} rooms without browsers, 2 with browsers and cameras in one room`,
  );
  console.log(`${tableRow(...head)}\n${tableRow(...head.map(() => '---'))}`);
  const outcomes: Outcome[] = [];
  for (const fault of machineFaults) {
    const chance = random.split();
    if (!fault.name.includes(values.only)) continue;
    const outcome = await strikeMachine(site, looks, fault, chance);
    console.log(rowOf(outcome));
    outcomes.push(outcome);
  }
  for (const { fault, failures } of outcomes) {
    for (const failure of failures) console.log(`${fault}: ${failure}`);
  }
  const failed = outcomes.filter((outcome) => !isGood(outcome)).length + unseen.length;
  const tookSeconds = Math.round((performance.now() - startedAtMs) / 1_000);
  console.log(`seed ${values.seed}: ${outcomes.length} faults, ${failed} failed, ${tookSeconds} s`);
  return failed === 0 && outcomes.length > 0 ? 0 : 1;
}

/** Plays inside; whatever ends this process ends everything that it started. */
async function playInside(dataDir: string): Promise<number> {
  // The process that made the namespaces is gone.
  process.stdin.on('end', () => process.exit(1)).resume();
  const late = delay(DEADLINE_MS).then(() => Promise.reject(new Error('not done in time')));
  try {
    return await Promise.race([play(dataDir), late]);
  } catch (error) {
    console.log('FAILED: cut off:', error);
    return 1;
  }
}

/** Makes the namespaces, runs this command in them, and removes its data afterwards. */
async function playOnMachines(): Promise<number> {
  const trial = spawnSync('unshare', [...OWN_NAMESPACES, 'sh', '-c', TRIAL]);
  if (!hasRedis || trial.status !== 0) {
    const missing = hasRedis
      ? 'network namespaces (Linux, as root, with iptables)'
      : 'redis-server';
    console.log(`skipped: the machines need ${missing}, which this machine does not give`);
    return SKIPPED;
  }
  await buildWeb();
  const dataDir = await makeDataDir();
  const command = [process.execPath, ...process.argv.slice(1)];
  const child = spawn('unshare', [...OWN_NAMESPACES, ...command], {
    // Files that programs leave in the folder for temporary files go with the data.
    env: { ...process.env, CHAOS_MACHINES_DIR: dataDir, TMPDIR: dataDir },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGKILL'));
  const [code] = await once(child, 'exit');
  await removeDataDir(dataDir);
  return code ?? 1;
}

process.exit(await (DATA_DIR === undefined ? playOnMachines() : playInside(DATA_DIR)));
