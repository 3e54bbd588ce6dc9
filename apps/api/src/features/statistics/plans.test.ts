import { afterAll, beforeAll, expect, it } from 'vitest';
import { costOf, fillHistory, type QueryCost } from '../../../test/focus-history.ts';
import { createTestApp, type TestApp } from '../../../test/test-app.ts';
import { nothingBeside, todayQuery } from '../focus/index.ts';
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

/** By the plan for one learner, and by that which PostgreSQL keeps for any. */
const PLANS = ['custom', 'generic'] as const;

async function costsAt(intervals: number) {
  const userId = await fillHistory(app.database, intervals);
  const now = new Date();
  const queries = {
    today: todayQuery([userId], now, nothingBeside),
    totals: totalsQuery(userId, now),
  };
  const costs = new Map<string, QueryCost>();
  for (const [what, query] of Object.entries(queries)) {
    for (const plan of PLANS) {
      costs.set(`${what}, ${plan} plan`, await costOf(app.database, query, plan));
    }
  }
  return costs;
}

it('today, totals and the days in a row cost the same with many intervals as with few', async () => {
  const few = await costsAt(FEW);
  const many = await costsAt(MANY);
  for (const [what, { buffers, plannedCost }] of few) {
    const then = many.get(what) as QueryCost;
    expect(Math.max(buffers, then.buffers), what).toBeLessThanOrEqual(BUFFERS_MAX);
    expect(then.plannedCost / plannedCost, what).toBeLessThanOrEqual(COST_RATIO_MAX);
  }
}, 120_000);
