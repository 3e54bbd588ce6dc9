import { afterAll, beforeAll, expect, it } from 'vitest';
import { costOf, fillHistory } from '../../../test/focus-history.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { todayQuery } from '../focus/index.ts';
import { totalsQuery } from './index.ts';

/** Budgets of design §8; `npm run bench:sql` prints the figures. */
const BUFFERS_MAX = 8;
const COST_RATIO_MAX = 1.2;
const [FEW, MANY] = [10_000, 2_000_000];

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

async function costsAt(intervals: number) {
  const userId = await fillHistory(app.database, intervals);
  const now = new Date();
  return {
    today: await costOf(app.database, todayQuery([userId], now)),
    totals: await costOf(app.database, totalsQuery(userId, now)),
  };
}

it('today, totals and the days in a row cost the same with many intervals as with few', async () => {
  const few = await costsAt(FEW);
  const many = await costsAt(MANY);
  for (const what of ['today', 'totals'] as const) {
    expect(few[what].buffers).toBeLessThanOrEqual(BUFFERS_MAX);
    expect(many[what].buffers).toBeLessThanOrEqual(BUFFERS_MAX);
    expect(many[what].plannedCost / few[what].plannedCost).toBeLessThanOrEqual(COST_RATIO_MAX);
  }
}, 120_000);
