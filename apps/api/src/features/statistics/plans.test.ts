import { expect, it } from 'vitest';
import {
  BUFFERS_MAX,
  budgetedReads,
  COST_RATIO_MAX,
  costOf,
  fillHistory,
  type QueryCost,
} from '../../../test/focus-history.ts';
import { openTestSite } from '../../../test/test-site.ts';

const { app } = await openTestSite();

/** `npm run bench:sql` asserts the same up to 2,000,000 intervals, and prints the figures. */
const INTERVALS = [10_000, 100_000] as const;

/** The plan for one learner, and the generic one that PostgreSQL keeps. */
const PLANS = ['custom', 'generic'] as const;

async function costsAt(intervals: number) {
  const userId = await fillHistory(app.database, intervals);
  const costs = new Map<string, QueryCost>();
  for (const [what, query] of Object.entries(budgetedReads(userId, new Date()))) {
    for (const plan of PLANS) {
      costs.set(`${what}, ${plan} plan`, await costOf(app.database, query, plan));
    }
  }
  return costs;
}

it('today, totals and the days in a row cost the same with many intervals as with few', async () => {
  const [few, many] = [await costsAt(INTERVALS[0]), await costsAt(INTERVALS[1])];
  for (const [what, { buffers, plannedCost }] of few) {
    const then = many.get(what) as QueryCost;
    expect(Math.max(buffers, then.buffers), what).toBeLessThanOrEqual(BUFFERS_MAX);
    expect(then.plannedCost / plannedCost, what).toBeLessThanOrEqual(COST_RATIO_MAX);
  }
}, 30_000);
