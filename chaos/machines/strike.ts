import { setTimeout as delay } from 'node:timers/promises';
import { type SeatedLearner, seatLearners } from '../../bench/support/product.ts';
import type { Random } from '../../bench/support/random.ts';
import { castOf, MEMBERS, type Operation, operations } from '../support/actors.ts';
import type { Damage } from '../support/fault-verdict.ts';
import { callApi, untilDone } from '../support/learner-calls.ts';
import { settledDamage } from '../support/strike.ts';
import type { Looks } from './looks.ts';
import type { Machine } from './machine.ts';
import { Routine } from './routine.ts';
import { type MachineName, type MachinesSite, names } from './site.ts';

/** Rooms of learners without browsers. */
export const ROOMS = 14;

/** What can happen to a machine. */
interface Kind {
  readonly name: string;
  readonly begin: (machine: Machine) => Promise<void>;
  readonly end: (machine: Machine) => Promise<void>;
  readonly lastsMs: number;
}

/** Longer than a connection may be silent for its client, which is ten seconds. */
const OUTAGE_MS = 15_000;
/** After which a supervisor starts a killed process again. */
const KILLED_MS = 5_000;

const kinds: readonly Kind[] = [
  {
    name: 'killed',
    begin: (machine) => machine.kill(),
    end: (machine) => machine.start(),
    lastsMs: KILLED_MS,
  },
  {
    name: 'cut',
    begin: (machine) => machine.cut(),
    end: (machine) => machine.mend(),
    lastsMs: OUTAGE_MS,
  },
  {
    name: 'black-holed',
    begin: (machine) => machine.drop(),
    end: (machine) => machine.pass(),
    lastsMs: OUTAGE_MS,
  },
];

/** Something that happens to one machine. */
export interface MachineFault {
  readonly name: string;
  readonly machine: MachineName;
  readonly kind: Kind;
}

const parts = {
  A: 'API',
  B: 'API',
  C: 'PostgreSQL and Redis',
  D: 'LiveKit',
  E: 'LiveKit',
} as const;

/** Every fault of the run, in its order. */
export const machineFaults: readonly MachineFault[] = kinds.flatMap((kind) =>
  names.map((machine) => ({ name: `${machine} (${parts[machine]}) ${kind.name}`, machine, kind })),
);

/** What came of one fault. */
export interface Outcome extends Damage {
  readonly fault: string;
  readonly acknowledged: number;
  /** The slowest of each operation, from its first try until everybody in the room saw it, in ms. */
  readonly longestMs: ReadonlyMap<Operation, number>;
  /** The longest time without a new frame, in ms. */
  readonly stillMs: number;
  /** From the end of the fault until every learner had done something from beginning to end; null: not in time. */
  readonly healedMs: number | null;
  readonly failures: readonly string[];
}

const WELL_WITHIN_MS = 30_000;
const HEALED_WITHIN_MS = 60_000;
/** What every learner does before the fault. */
const DEEDS_BEFORE = 2;
const LOOK_EVERY_MS = 20;

/** Strikes a machine while learners of its site do everything. */
export async function strikeMachine(
  site: MachinesSite,
  looks: Looks,
  { name, machine, kind }: MachineFault,
  random: Random,
): Promise<Outcome> {
  await bringPictures(site, looks, machine);
  const struck = site.machines[machine];
  const stopping = new AbortController();
  const learners = await seatLearners(site.database.url, {
    rooms: ROOMS,
    members: MEMBERS,
    secret: site.secret,
    name: `learner${Math.floor(random.between(0, 1e8))}-`,
  });
  const { port } = site.proxy;
  const actors = castOf(learners, { port, random, signal: stopping.signal });
  const rooms = Map.groupBy(actors, ({ learner }) => learner.roomId);
  const routines = actors.map((actor) => {
    const room = rooms.get(actor.learner.roomId) ?? [];
    return new Routine(actor, room, random.split());
  });
  try {
    await untilAll(routines, (routine) => routine.done >= 1, WELL_WITHIN_MS);
    for (const routine of routines) routine.restart();
    await looks.restart();
    await untilAll(routines, (routine) => routine.done >= DEEDS_BEFORE, WELL_WITHIN_MS);
    await kind.begin(struck);
    await delay(kind.lastsMs);
    await kind.end(struck);
    const healedMs = await untilHealed(routines, looks);
    await Promise.all(routines.map((routine) => routine.finish(healedMs === null)));
    const stillMs = await looks.longestStillMs();
    const damage = await settledDamage(site, actors);
    const ends = Object.values(site.machines).flatMap((each) => each.ends.splice(0));
    const failures = [...actors.flatMap((actor) => actor.failures), ...ends];
    const acknowledged = routines.reduce((sum, { done }) => sum + done, 0);
    const longestMs = longestOf(routines);
    return { fault: name, acknowledged, longestMs, stillMs, healedMs, failures, ...damage };
  } finally {
    stopping.abort();
    for (const actor of actors) actor.stop();
    await leaveAll(site, learners);
  }
}

/** Lets the room with the pictures have the LiveKit that is struck, as an operator would. */
async function bringPictures(
  { database, mediaServers, media }: MachinesSite,
  looks: Looks,
  struck: MachineName,
): Promise<void> {
  const place = ['D', 'E'].indexOf(struck);
  const [wanted, other] = [media[place], media[1 - place]];
  if (!wanted || !other) return;
  await mediaServers.drain(other.url, 0);
  const endMs = performance.now() + WELL_WITHIN_MS;
  for (;;) {
    const rows = await database.query(
      `select from media_room as room join media_server as server on server.id = room.server_id
       where room_id = $1 and url = $2`,
      [looks.roomId, wanted.url],
    );
    if (rows.length > 0) break;
    if (performance.now() > endMs) throw new Error(`the pictures do not come to ${struck}`);
    await delay(LOOK_EVERY_MS);
  }
  await mediaServers.open(other.url);
  await looks.untilMoving(WELL_WITHIN_MS);
}

async function untilAll(
  routines: readonly Routine[],
  isSo: (routine: Routine) => boolean,
  withinMs: number,
): Promise<void> {
  const endMs = performance.now() + withinMs;
  while (!routines.every(isSo)) {
    if (performance.now() > endMs) {
      const late = routines.filter((routine) => !isSo(routine)).map(({ name }) => name);
      throw new Error(`${late.length} of ${routines.length} are not done: ${late.slice(0, 5)}`);
    }
    await delay(LOOK_EVERY_MS);
  }
}

/** How long it takes until everybody goes on, in ms; null if somebody does not. */
async function untilHealed(routines: readonly Routine[], looks: Looks): Promise<number | null> {
  const endedAtMs = performance.now();
  try {
    await Promise.all([
      untilAll(routines, (routine) => routine.hasDoneSince(endedAtMs), HEALED_WITHIN_MS),
      looks.untilMoving(HEALED_WITHIN_MS),
    ]);
    return performance.now() - endedAtMs;
  } catch (error) {
    console.log(String(error));
    return null;
  }
}

const longestOf = (routines: readonly Routine[]): ReadonlyMap<Operation, number> =>
  new Map(
    operations.map((operation) => {
      const own = routines.filter(({ actor }) => actor.operation === operation);
      return [operation, Math.max(...own.map(({ longestMs }) => longestMs))];
    }),
  );

/** Their rooms become empty: the next fault finds only learners of its own. */
async function leaveAll(
  { proxy }: MachinesSite,
  learners: readonly SeatedLearner[],
): Promise<void> {
  const baseUrl = `http://127.0.0.1:${proxy.port}`;
  await Promise.all(
    learners.map(({ userId, token }) =>
      untilDone(() =>
        callApi({ baseUrl, token }, 'POST', `/api/study-rooms/leave?userId=${userId}`),
      ),
    ),
  );
}
