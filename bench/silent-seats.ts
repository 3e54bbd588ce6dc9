import { visitsOfSeats } from '../apps/api/src/features/focus/index.ts';
import {
  createRoomsRepository,
  createSilentSeatSweep,
  RoomsService,
} from '../apps/api/src/features/rooms/index.ts';
import type { Database } from '../apps/api/src/platform/database/index.ts';
import { seatSilently } from '../apps/api/test/silent-seats.ts';
import { onDatabase } from './support/database.ts';
import { tableRow } from './support/statistics.ts';

/**
 * How long it takes to give up the seats of everybody at once, who all vanished in the middle of
 * their focus: in all, and the longest statement.
 *
 *     npm run bench:silent-seats -- [learners]
 */
const LEARNERS = Number(process.argv[2] ?? 150_000);
const ROUND_MS = 20_000;
const ROUNDS_UNTIL_TRUSTED = 4;
const GOAL_MS = 60_000;
const STATEMENT_GOAL_MS = 1_000;

async function run(database: Database): Promise<boolean> {
  let nowMs = Date.now();
  const repository = createRoomsRepository(database, visitsOfSeats);
  let statements = 0;
  let longestMs = 0;
  const timed =
    <Given extends readonly unknown[], Result>(ask: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      const startMs = performance.now();
      const result = await ask(...given);
      statements += 1;
      longestMs = Math.max(longestMs, performance.now() - startMs);
      return result;
    };
  const clock = { now: () => new Date(nowMs) };
  const giveUp = createSilentSeatSweep({
    repository: {
      findSilentSeats: timed(repository.findSilentSeats),
      giveUpSilentSeats: timed(repository.giveUpSilentSeats),
    },
    clock,
    rooms: new RoomsService({ repository, backplane: { processes: 1 }, clock, capacity: 20 }),
  });
  // Silence counts once the site has looked for it for a minute.
  for (let round = 0; round < ROUNDS_UNTIL_TRUSTED; round += 1) {
    await giveUp();
    nowMs += ROUND_MS;
  }
  await seatSilently(database, LEARNERS, new Date(nowMs));
  statements = 0;
  longestMs = 0;
  const startMs = performance.now();
  const givenUp = await giveUp();
  const allMs = performance.now() - startMs;
  const whole = (value: number) => Math.round(value).toLocaleString('en');
  console.log(tableRow('silent seats', 'given up', 'all ms', 'statements', 'longest ms'));
  console.log(tableRow('---:', '---:', '---:', '---:', '---:'));
  console.log(tableRow(...[LEARNERS, givenUp, allMs, statements, longestMs].map(whole)));
  return givenUp === LEARNERS && allMs <= GOAL_MS && longestMs <= STATEMENT_GOAL_MS;
}

if (!(await onDatabase({}, run))) process.exitCode = 1;
