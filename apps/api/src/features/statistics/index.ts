export { createStatistics } from './statistics.ts';
export { totalsQuery } from './totals-query.ts';
