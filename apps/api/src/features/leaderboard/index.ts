export { createLeaderboard } from './leaderboard.ts';
