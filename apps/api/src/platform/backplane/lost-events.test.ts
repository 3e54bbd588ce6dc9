import { expect, inject, it, onTestFinished, vi } from 'vitest';
import { createUnstartedJobs } from '../../../test/compare-all.ts';
import { createTestApp } from '../../../test/test-app.ts';
import { createDatabase } from '../database/index.ts';
import { createLogger } from '../logger/index.ts';
import {
  type Backplane,
  compareInRounds,
  createInProcessBackplane,
  ROUNDS,
  tellOfLosses,
} from './index.ts';

/** Compares ids of two in each round; `calls` has those of each call. */
function create() {
  const backplane = { state: 'whole' as Backplane['state'] };
  const jobs = createUnstartedJobs();
  let tellMissed: Parameters<Backplane['onMissed']>[0] = () => undefined;
  const ids = Array.from({ length: 2 * ROUNDS }, (_, index) => index + 1);
  const calls: number[][] = [];
  const onMissed = (listener: typeof tellMissed) => {
    tellMissed = listener;
  };
  const stateOf = (channel: string) => (channel === 'odd' ? backplane.state : 'whole');
  compareInRounds(
    {
      backplane: Object.assign(backplane, { stateOf, onMissed }) as unknown as Backplane,
      jobs,
      logger: createLogger('silent'),
    },
    {
      name: 'numbers',
      channelOf: (id) => (id % 2 === 1 ? 'odd' : 'even'),
      compare: async (isDue) => void calls.push(ids.filter(isDue)),
    },
  );
  return {
    ids,
    calls,
    backplane,
    run: () => jobs.run('numbers'),
    miss: () => tellMissed((channel) => channel === 'odd'),
  };
}

it('is told of a process that does not reach Redis, by the database', async () => {
  const lonely = { ...createInProcessBackplane(), state: 'degraded' as Backplane['state'] };
  const one = await createTestApp({ backplane: lonely });
  onTestFinished(() => one.close());
  const backplane = createInProcessBackplane();
  const other = await createTestApp({ backplane, besides: one });
  onTestFinished(() => other.close());
  await other.runJob('lost events');
  expect(backplane.isUncertain).toBe(false);
  await one.runJob('lost events');
  await other.runJob('lost events');
  expect(backplane.isUncertain).toBe(true);
  lonely.state = 'whole';
  await vi.waitFor(
    async () => {
      await other.runJob('lost events');
      expect(backplane.isUncertain).toBe(false);
    },
    { timeout: 8_000, interval: 500 },
  );
});

it('is uncertain after the database was away: a change may be stored, and published by nobody', async () => {
  const backplane = createInProcessBackplane();
  const jobs = createUnstartedJobs();
  const connection = { ...inject('postgres'), host: '127.0.0.1', port: 1 };
  const database = createDatabase({ connection, logger: createLogger('silent') });
  tellOfLosses({ backplane, jobs, database });
  await expect(jobs.run('lost events')).rejects.toThrow();
  expect(backplane.isUncertain).toBe(true);
});

it('compares everything while another process does not reach Redis', async () => {
  const { ids, calls, backplane, run } = create();
  Object.assign(backplane, { isUncertain: true });
  await run();
  expect(calls).toEqual([ids]);
});

it('compares everything once in its rounds while events arrive', async () => {
  const { ids, calls, run } = create();
  for (let round = 0; round < ROUNDS; round += 1) await run();
  expect(calls.every(({ length }) => length === 2)).toBe(true);
  expect(calls.flat().sort((a, b) => a - b)).toEqual(ids);
});

it('compares all of a channel in each round while its events may be lost, and when some were', async () => {
  const { ids, calls, backplane, run, miss } = create();
  const due = (round: number | null) => ids.filter((id) => id % 2 === 1 || id % ROUNDS === round);
  backplane.state = 'degraded';
  await run();
  await run();
  backplane.state = 'whole';
  miss();
  expect(calls).toEqual([due(1), due(2), due(null)]);
});
