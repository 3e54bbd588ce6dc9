import { expect, it } from 'vitest';
import { createUnstartedJobs } from '../../../test/compare-all.ts';
import { createLogger } from '../logger/index.ts';
import { type Backplane, compareInRounds, ROUNDS } from './index.ts';

/** Compares the ids 1 to 120; `due` has those of the last call. */
function create() {
  const backplane = { state: 'whole' as Backplane['state'] };
  const jobs = createUnstartedJobs();
  let tellMissed = () => undefined as unknown;
  const ids = Array.from({ length: 2 * ROUNDS }, (_, index) => index + 1);
  const calls: number[][] = [];
  const onMissed = (listener: () => void) => {
    tellMissed = listener;
  };
  compareInRounds(
    {
      backplane: Object.assign(backplane, { onMissed }) as unknown as Backplane,
      jobs,
      logger: createLogger('silent'),
    },
    'numbers',
    async (isDue) => void calls.push(ids.filter(isDue)),
  );
  return { ids, calls, backplane, run: () => jobs.run('numbers'), miss: () => tellMissed() };
}

it('compares everything once in its rounds while events arrive', async () => {
  const { ids, calls, run } = create();
  for (let round = 0; round < ROUNDS; round += 1) await run();
  expect(calls.every(({ length }) => length === 2)).toBe(true);
  expect(calls.flat().sort((a, b) => a - b)).toEqual(ids);
});

it('compares everything in each round while events may be lost, and when some were', async () => {
  const { ids, calls, backplane, run, miss } = create();
  backplane.state = 'degraded';
  await run();
  await run();
  backplane.state = 'whole';
  miss();
  expect(calls).toEqual([ids, ids, ids]);
});
