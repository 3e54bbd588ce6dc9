export { createStatisticsRepository } from './statistics.repository.ts';
export { serveStatistics } from './statistics.routes.ts';
export { createStatisticsService, type StatisticsParts } from './statistics.service.ts';
export { totalsQuery } from './totals-query.ts';
