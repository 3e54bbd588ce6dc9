import type { Database } from '../../platform/database/index.ts';
import type { HttpServer } from '../../platform/http/index.ts';
import { createLeaderboardRepository } from './leaderboard.repository.ts';
import { serveLeaderboard } from './leaderboard.routes.ts';
import { createLeaderboardService, type LeaderboardParts } from './leaderboard.service.ts';

interface LeaderboardFeatureParts extends Omit<LeaderboardParts, 'repository'> {
  readonly database: Database;
  readonly http: HttpServer;
}

/** Today's focus of learners with their consent, visible only to each other. */
export function createLeaderboard(parts: LeaderboardFeatureParts): void {
  const repository = createLeaderboardRepository(parts.database);
  serveLeaderboard(parts.http, createLeaderboardService({ ...parts, repository }));
}
