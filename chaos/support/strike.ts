import { setTimeout as delay } from 'node:timers/promises';
import { seatLearners } from '../../bench/support/product.ts';
import type { Random } from '../../bench/support/random.ts';
import { type Actor, castOf, MEMBERS, type Operation, operations } from './actors.ts';
import { type Fault, lockTables } from './fault-list.ts';
import type { FaultSite } from './fault-site.ts';
import { type Damage, findDamage, type JudgedSite } from './fault-verdict.ts';

/** When a fault strikes: before an operation is sent, while it is under way, after it is acknowledged. */
export const phases = ['begin', 'middle', 'end'] as const;
export type Phase = (typeof phases)[number];

/** What came of one fault in one phase. */
export interface Outcome extends Damage {
  readonly fault: string;
  readonly phase: Phase;
  /** The slowest of each operation that the fault met, in ms from sending to acknowledgement. */
  readonly tookMs: ReadonlyMap<Operation, number>;
  /** Operations that were not done within the bound. */
  readonly stuck: number;
  /** Answers and closed connections that blame the server, other than that it is unavailable. */
  readonly failures: readonly string[];
  readonly isHealed: boolean;
  /** What `/readyz` did wrong: answered late, or did not say that the site is not ready; else empty. */
  readonly readiness: string;
}

const BOUND_MS = 5_000;
/** After the bound: what is not done then needs a restart. */
const GIVE_UP_MS = 20_000;
const WELL_WITHIN_MS = 15_000;
/** Everybody in a room has heard what was said in it. */
const SETTLE_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 100;
const READY = { everyMs: 200, answersWithinMs: 1_500, saysWithinMs: 3_500, waitMs: 5_000 } as const;
/** What the operations write to. */
const WRITTEN = 'chat_message, board_element, visit, seat';

/** An operation that is being done. */
interface Deed {
  readonly actor: Actor;
  readonly sentAtMs: number;
  doneAtMs: number | null;
  readonly done: Promise<unknown>;
}

function doAll(actors: readonly Actor[]): Deed[] {
  return actors.map((actor) => {
    const deed: Deed = {
      actor,
      sentAtMs: performance.now(),
      doneAtMs: null,
      done: actor.act().then(
        () => {
          deed.doneAtMs = performance.now();
        },
        () => undefined,
      ),
    };
    return deed;
  });
}

const undone = (deeds: readonly Deed[]) => deeds.filter(({ doneAtMs }) => doneAtMs === null);

/** Waits until all is done, at most until then; whether it is. */
async function untilDone(deeds: readonly Deed[], endMs: number): Promise<boolean> {
  const ended = new AbortController();
  const waiting = delay(Math.max(0, endMs - performance.now()), undefined, {
    signal: ended.signal,
  }).catch(() => undefined);
  await Promise.race([Promise.all(deeds.map(({ done }) => done)), waiting]);
  ended.abort();
  return undone(deeds).length === 0;
}

export interface Strike {
  readonly fault: Fault;
  readonly phase: Phase;
  /** What every bound on time is multiplied by. */
  readonly patience: number;
  readonly random: Random;
}

/** Strikes a site with a fault, while learners do everything in two rooms. */
export async function strike(site: FaultSite, chosen: Strike): Promise<Outcome> {
  const { fault, random } = chosen;
  const stopping = new AbortController();
  const learners = await seatLearners(site.database.url, {
    rooms: 2,
    members: MEMBERS,
    secret: site.secret,
    name: `actor${Math.floor(random.between(0, 1e8))}-`,
  });
  const { port } = site.proxy;
  const actors = castOf(learners, { port, random, signal: stopping.signal });
  try {
    if (!(await untilDone(doAll(actors), performance.now() + WELL_WITHIN_MS))) {
      throw new Error(`the site is not well before: ${fault.name}`);
    }
    return await strikeAt(site, chosen, actors);
  } finally {
    stopping.abort();
    for (const actor of actors) actor.stop();
  }
}

async function strikeAt(
  site: FaultSite,
  { fault, phase, patience }: Strike,
  actors: readonly Actor[],
): Promise<Outcome> {
  const boundMs = patience * (fault.boundMs ?? BOUND_MS);
  const load = await fault.load?.(site);
  const release = phase === 'middle' ? await lockTables(site, WRITTEN, 'exclusive') : null;
  const early = phase === 'begin' ? [] : doAll(actors);
  if (phase === 'middle') await untilWaiting(site);
  else await untilDone(early, performance.now() + WELL_WITHIN_MS);
  const readiness = watchReadiness(site, fault, patience);
  const end = await fault.strike(site, load);
  const struckAtMs = performance.now();
  const released = release?.();
  const deeds = phase === 'middle' ? early : doAll(actors);
  await delay(fault.lastsMs);
  const stuckMeanwhile = fault.isHarmless ? lateAt(deeds, struckAtMs + boundMs) : 0;
  const readinessFault = await readiness();
  await end();
  await released;
  const boundEndMs = performance.now() + boundMs;
  await untilDone(deeds, boundEndMs);
  let stuck = Math.max(stuckMeanwhile, undone(deeds).length);
  const isHealed = await untilDone(deeds, boundEndMs + GIVE_UP_MS);
  if (!isHealed) await site.restartApis();
  await untilDone(deeds, performance.now() + GIVE_UP_MS);
  // Before something else is done, which would hide that it is not known everywhere.
  const damage = await settledDamage(site, actors);
  const after = undone(deeds).length === 0 ? doAll(actors) : [];
  if (!(await untilDone(after, performance.now() + patience * BOUND_MS)))
    stuck += undone(after).length;
  await untilDone(after, performance.now() + GIVE_UP_MS);
  const later = await settledDamage(site, actors);
  const failures = actors.flatMap((actor) => actor.failures);
  const result = { fault: fault.name, phase, stuck, failures, isHealed, ...worse(damage, later) };
  return { ...result, tookMs: slowestOf(deeds), readiness: readinessFault };
}

const worse = (one: Damage, other: Damage): Damage => ({
  lost: Math.max(one.lost, other.lost),
  doubled: Math.max(one.doubled, other.doubled),
  foreign: Math.max(one.foreign, other.foreign),
});

/** How many were not done at a moment. */
const lateAt = (deeds: readonly Deed[], atMs: number) =>
  deeds.filter(({ doneAtMs }) => doneAtMs === null || doneAtMs > atMs).length;

function slowestOf(deeds: readonly Deed[]): ReadonlyMap<Operation, number> {
  const nowMs = performance.now();
  return new Map(
    operations.map((operation) => {
      const own = deeds.filter(({ actor }) => actor.operation === operation);
      const tookMs = own.map(({ sentAtMs, doneAtMs }) => (doneAtMs ?? nowMs) - sentAtMs);
      return [operation, Math.round(Math.max(...tookMs))];
    }),
  );
}

/** Waits until the operations wait for the locks. */
async function untilWaiting({ database }: FaultSite): Promise<void> {
  const endMs = performance.now() + WELL_WITHIN_MS;
  for (;;) {
    const [row] = await database.query<{ tables: number }>(
      'select count(distinct relation)::integer as tables from pg_locks where not granted',
    );
    // Chat, the board, the timer, and entering or leaving: three tables at least.
    if ((row?.tables ?? 0) >= 3) return;
    if (performance.now() > endMs) throw new Error('the operations do not wait for the locks');
    await delay(LOOK_EVERY_MS / 10);
  }
}

/** The damage that stays. */
export async function settledDamage(site: JudgedSite, actors: readonly Actor[]): Promise<Damage> {
  const endMs = performance.now() + SETTLE_WITHIN_MS;
  for (;;) {
    const damage = await findDamage(site, actors);
    const { lost, doubled, foreign } = damage;
    if (lost + doubled + foreign === 0 || performance.now() > endMs) return damage;
    await delay(LOOK_EVERY_MS);
  }
}

/** Asks `/readyz`; then stops, once it said so or should have, and says what was wrong. */
function watchReadiness(site: FaultSite, fault: Fault, patience: number): () => Promise<string> {
  if (!fault.makesUnready) return async () => '';
  const beganAtMs = performance.now();
  let [isOver, slowestMs, saidAtMs] = [false, 0, Number.POSITIVE_INFINITY];
  const asking = (async () => {
    while (!isOver) {
      const askedAtMs = performance.now();
      const answer = await fetch(`http://127.0.0.1:${site.port}/readyz`, {
        signal: AbortSignal.timeout(READY.waitMs),
      }).catch(() => null);
      slowestMs = Math.max(slowestMs, performance.now() - askedAtMs);
      if (answer?.status === 503) saidAtMs = Math.min(saidAtMs, performance.now() - beganAtMs);
      await delay(READY.everyMs);
    }
  })();
  return async () => {
    const lastMs = beganAtMs + patience * READY.saysWithinMs;
    while (saidAtMs === Number.POSITIVE_INFINITY && performance.now() < lastMs) {
      await delay(LOOK_EVERY_MS);
    }
    isOver = true;
    await asking;
    if (slowestMs > patience * READY.answersWithinMs)
      return `answers after ${Math.round(slowestMs)} ms`;
    if (saidAtMs > patience * READY.saysWithinMs) {
      return saidAtMs === Number.POSITIVE_INFINITY
        ? 'says ready'
        : `503 after ${Math.round(saidAtMs)} ms`;
    }
    return '';
  };
}
