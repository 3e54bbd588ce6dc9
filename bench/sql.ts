import type { RawBuilder } from 'kysely';
import type { Database } from '../apps/api/src/platform/database/index.ts';
import {
  BUFFERS_MAX,
  budgetedReads,
  COST_RATIO_MAX,
  costOf,
  fillHistory,
  HISTORY_SIZES,
} from '../apps/api/test/focus-history.ts';
import { onDatabase } from './support/database.ts';
import { percentile, tableRow } from './support/statistics.ts';

/**
 * What "today", and totals with attendance and days in a row, cost with few intervals and with many:
 * pages touched, the planner's cost, and the median time of many runs.
 *
 *     npm run bench:sql
 */
const RUNS = 500;

interface Figures {
  readonly buffers: number;
  readonly plannedCost: number;
  readonly medianMs: number;
}

async function measure(database: Database, query: RawBuilder<unknown>): Promise<Figures> {
  const times: number[] = [];
  let last = await costOf(database, query);
  for (let run = 0; run < RUNS; run += 1) {
    last = await costOf(database, query);
    times.push(last.ms);
  }
  return { ...last, medianMs: percentile(times, 0.5) };
}

async function run(database: Database): Promise<boolean> {
  const found = new Map<string, Figures[]>();
  for (const size of HISTORY_SIZES) {
    const userId = await fillHistory(database, size);
    for (const [what, query] of Object.entries(budgetedReads(userId, new Date()))) {
      found.set(what, [...(found.get(what) ?? []), await measure(database, query)]);
    }
  }
  console.log(tableRow('read', 'intervals', 'buffers', 'planned cost', 'median ms'));
  console.log(tableRow('---', '---:', '---:', '---:', '---:'));
  let isGood = true;
  for (const [what, figures] of found) {
    for (const [index, { buffers, plannedCost, medianMs }] of figures.entries()) {
      const size = HISTORY_SIZES[index]?.toLocaleString('en') ?? '';
      console.log(tableRow(what, size, buffers, plannedCost.toFixed(2), medianMs.toFixed(3)));
      isGood &&= buffers <= BUFFERS_MAX;
    }
    const [few, many] = figures as [Figures, Figures];
    const ratio = many.plannedCost / few.plannedCost;
    const timeRatio = many.medianMs / few.medianMs;
    console.log(tableRow(what, 'ratio', '', ratio.toFixed(3), timeRatio.toFixed(2)));
    isGood &&= ratio <= COST_RATIO_MAX;
  }
  return isGood;
}

// A superuser's connection: history is filled in without triggers.
process.exitCode = (await onDatabase({ isSuperuser: true }, run)) ? 0 : 1;
