import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sendSignal } from '../apps/stack/src/child-process/index.ts';
import { createRandom } from '../bench/support/random.ts';
import { tableRow } from '../bench/support/statistics.ts';
import { hasRedis } from '../test/redis-server.ts';
import { operations } from './support/actors.ts';
import { faults } from './support/fault-list.ts';
import { type FaultSite, processesBelow, startFaultSite, usualPlan } from './support/fault-site.ts';
import { findLies } from './support/lies.ts';
import { SKIPPED } from './support/run-chaos.ts';
import { type Outcome, type Phase, phases, strike } from './support/strike.ts';

/**
 * Each fault strikes a site while learners chat, draw, press the timer, enter and leave, and join the
 * media: before these are sent, while they are under way, and right after they were acknowledged.
 * Nothing acknowledged may be lost, doubled or foreign, and all is done soon after the fault without a
 * restart.
 *
 *     npm run chaos:faults -- [--seed 1] [--third 0|1|2] [--only TEXT] [--patience 1]
 *
 * With --third each fault strikes in one of the three phases, in another one with each number. Every
 * bound on time is multiplied by --patience, for a machine that does other things meanwhile.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    third: { type: 'string' },
    only: { type: 'string', default: '' },
    patience: { type: 'string', default: '1' },
  },
});
const patience = Number(values.patience);

/** A third takes 3 min on an idle machine, and 5 on a busy one. */
const DEADLINE_MS = (values.third === undefined ? 20 : 8) * 60_000;
const CLOSES_WITHIN_MS = 15_000;

const isGood = ({ lost, doubled, foreign, stuck, failures, isHealed, readiness }: Outcome) =>
  lost + doubled + foreign + stuck + failures.length === 0 && isHealed && readiness === '';

const head = [
  ...['fault', 'strikes at the', ...operations.map((operation) => `${operation}, ms`)],
  ...['lost', 'doubled', 'foreign', 'stuck', 'failures', 'longest, ms', 'healed by itself'],
  ...['`/readyz`', ''],
];

function rowOf(outcome: Outcome): string {
  const { fault, phase, tookMs, lost, doubled, foreign, stuck, failures } = outcome;
  const times = operations.map((operation) => tookMs.get(operation) ?? 0);
  return tableRow(
    ...[fault, phase, ...times, lost, doubled, foreign, stuck, failures.length],
    ...[Math.max(...times), outcome.isHealed ? 'yes' : 'NO', outcome.readiness],
    isGood(outcome) ? '' : 'FAILED',
  );
}

/** The phases in which a fault strikes in this run. */
function phasesOf(index: number): readonly Phase[] {
  if (values.third === undefined) return phases;
  return phases.filter((_, phase) => (index + Number(values.third)) % phases.length === phase);
}

async function strikeAll(site: FaultSite): Promise<Outcome[]> {
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
      const outcome = await strike(site, { fault, phase, patience, random: chance.split() });
      console.log(rowOf(outcome));
      outcomes.push(outcome);
    }
  }
  return outcomes;
}

async function judge(site: FaultSite): Promise<number> {
  const startedAtMs = performance.now();
  const unseen = await findLies(site, createRandom(Number(values.seed)));
  for (const lie of unseen) console.log(`FAILED: the run does not see ${lie}`);
  console.log(`${tableRow(...head)}\n${tableRow(...head.map(() => '---'))}`);
  const outcomes = await strikeAll(site);
  for (const { fault, phase, failures } of outcomes) {
    for (const failure of failures) console.log(`${fault}, ${phase}: ${failure}`);
  }
  const failed = outcomes.filter((outcome) => !isGood(outcome)).length + unseen.length;
  const seconds = Math.round((performance.now() - startedAtMs) / 1_000);
  console.log(`seed ${values.seed}: ${outcomes.length} strikes, ${failed} failed, ${seconds} s`);
  return failed === 0 && outcomes.length > 0 ? 0 : 1;
}

/** Ends a site, and kills what has not ended by itself in time. */
async function close(starting: Promise<FaultSite>): Promise<void> {
  const closing = starting.then((site) => site.close()).catch((error) => console.log(error));
  await Promise.race([closing, delay(CLOSES_WITHIN_MS)]);
  for (const pid of processesBelow()) sendSignal(pid, 'SIGKILL');
}

async function main(): Promise<number> {
  if (!hasRedis) {
    console.log('skipped: two processes need a redis-server, and there is none here');
    return SKIPPED;
  }
  const cutOff = Promise.withResolvers<never>();
  // Whatever ends the run early, nothing that it started may go on.
  process.on('uncaughtException', cutOff.reject);
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, cutOff.reject);
  setTimeout(() => cutOff.reject(new Error(`not done within ${DEADLINE_MS} ms`)), DEADLINE_MS);
  const starting = startFaultSite();
  try {
    return await Promise.race([cutOff.promise, starting.then(judge)]);
  } catch (error) {
    console.log('FAILED: cut off:', error);
    return 1;
  } finally {
    await close(starting);
  }
}

process.exit(await main());
