import {
  getFriendsLeaderboard,
  getLeaderboardSetting,
  getRoomLeaderboard,
  putLeaderboardSetting,
} from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { LeaderboardService } from './leaderboard.service.ts';

export function serveLeaderboard(http: HttpServer, leaderboard: LeaderboardService): void {
  http.serve(getRoomLeaderboard, async ({ caller, params }) =>
    leaderboard.findOfRoom(caller.userId, params.roomId),
  );
  http.serve(getFriendsLeaderboard, async ({ caller }) => leaderboard.findOfFriends(caller.userId));
  http.serve(getLeaderboardSetting, async ({ caller }) => ({
    isOn: await leaderboard.isOn(caller.userId),
  }));
  http.serve(putLeaderboardSetting, async ({ caller, body }) => {
    await leaderboard.setShown(caller.userId, body.isOn);
    return body;
  });
}
