import type { Database } from '../../platform/database/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import { createStatisticsRepository } from './statistics.repository.ts';
import { serveStatistics } from './statistics.routes.ts';
import { createStatisticsService, type StatisticsParts } from './statistics.service.ts';

interface StatisticsFeatureParts extends Omit<StatisticsParts, 'repository'> {
  readonly database: Database;
  readonly http: HttpServer;
}

/** Statistics of a learner's days. */
export function createStatistics(parts: StatisticsFeatureParts): void {
  const repository = createStatisticsRepository(parts.database);
  serveStatistics(parts.http, createStatisticsService({ ...parts, repository }));
}
