import { parseArgs } from 'node:util';
import { createRandom } from '../bench/support/random.ts';
import { tableRow } from '../bench/support/statistics.ts';
import { hasRedis } from '../test/redis-server.ts';
import { operations } from './support/actors.ts';
import { faults } from './support/fault-list.ts';
import { type FaultSite, startFaultSite, usualPlan } from './support/fault-site.ts';
import { findLies } from './support/lies.ts';
import { SKIPPED } from './support/run-chaos.ts';
import { type Outcome, type Phase, phases, strike } from './support/strike.ts';

/**
 * Each fault strikes a site while learners chat, draw, press the timer, enter and leave, and join the
 * media: before these are sent, while they are under way, and right after they were acknowledged.
 * Nothing acknowledged may be lost, doubled or foreign, and all is done soon after the fault without a
 * restart.
 *
 *     npm run chaos:faults -- [--seed 1] [--third 0|1|2] [--only TEXT]
 *
 * With --third each fault strikes in one of the three phases, in another one with each number.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    third: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});

const isGood = ({ lost, doubled, foreign, stuck, failures, isHealed, readiness }: Outcome) =>
  lost + doubled + foreign + stuck + failures === 0 && isHealed && readiness === '';

const head = [
  ...['fault', 'strikes at the', ...operations.map((operation) => `${operation}, ms`)],
  ...['lost', 'doubled', 'foreign', 'stuck', 'failures', 'longest, ms', 'healed by itself'],
  ...['`/readyz`', ''],
];

function rowOf(outcome: Outcome): string {
  const { fault, phase, tookMs, lost, doubled, foreign, stuck, failures } = outcome;
  const times = operations.map((operation) => tookMs.get(operation) ?? 0);
  return tableRow(
    ...[fault, phase, ...times, lost, doubled, foreign, stuck, failures, Math.max(...times)],
    ...[outcome.isHealed ? 'yes' : 'NO', outcome.readiness, isGood(outcome) ? '' : 'FAILED'],
  );
}

/** The phases in which a fault strikes in this run. */
function phasesOf(index: number): readonly Phase[] {
  if (values.third === undefined) return phases;
  return phases.filter((_, phase) => (index + Number(values.third)) % phases.length === phase);
}

async function run(site: FaultSite): Promise<Outcome[]> {
  const random = createRandom(Number(values.seed));
  const outcomes: Outcome[] = [];
  let plan = usualPlan;
  for (const [index, fault] of faults.entries()) {
    const chance = random.split();
    if (!fault.name.includes(values.only)) continue;
    const { plan: wanted = usualPlan } = fault;
    if (wanted !== plan) await site.runApis(wanted);
    plan = wanted;
    for (const phase of phasesOf(index)) {
      const outcome = await strike(site, fault, phase, chance.split());
      console.log(rowOf(outcome));
      outcomes.push(outcome);
    }
  }
  return outcomes;
}

async function main(): Promise<number> {
  if (!hasRedis) {
    console.log('skipped: two processes need a redis-server, and there is none here');
    return SKIPPED;
  }
  const startedAtMs = performance.now();
  await using started = new AsyncDisposableStack();
  const site = await startFaultSite();
  started.defer(() => site.close());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void site.close().finally(() => process.exit(1)));
  }
  const unseen = await findLies(site, createRandom(Number(values.seed)));
  for (const lie of unseen) console.log(`FAILED: the run does not see ${lie}`);
  console.log(`${tableRow(...head)}\n${tableRow(...head.map(() => '---'))}`);
  const outcomes = await run(site);
  const failed = outcomes.filter((outcome) => !isGood(outcome)).length + unseen.length;
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  console.log(`seed ${values.seed}: ${outcomes.length} strikes, ${failed} failed, ${seconds} s`);
  return failed === 0 && outcomes.length > 0 ? 0 : 1;
}

process.exitCode = await main();
