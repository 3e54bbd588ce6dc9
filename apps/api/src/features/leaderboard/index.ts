export { createLeaderboardRepository } from './leaderboard.repository.ts';
export { serveLeaderboard } from './leaderboard.routes.ts';
export { createLeaderboardService } from './leaderboard.service.ts';
