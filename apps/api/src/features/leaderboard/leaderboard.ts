import {
  getFriendsLeaderboard,
  getLeaderboardSetting,
  getRoomLeaderboard,
  LEADERBOARD_DAY_MAX_MS,
  type Leaderboard,
  type LeaderboardPerson,
  putLeaderboardSetting,
  type RoomId,
  studyLevelOf,
  type UserId,
} from '@mogakgong/contract';
import { ApiError } from '../../platform/http/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { createLeaderboardRepository, type LeaderboardRow } from './leaderboard.repository.ts';

/** Today's focus of learners with their consent, visible only to each other (decision 099). */
function createService(context: AppContext, rooms: RoomsService) {
  const { database, sanctions, clock } = context;
  const repository = createLeaderboardRepository(database);

  async function boardOf(userId: UserId, visible: readonly UserId[]): Promise<Leaderboard> {
    const now = clock.now();
    const shown = visible.filter((other) => !sanctions.inForce.isSuspended(other));
    const rows = await repository.findRows(shown, now);
    return {
      isOn: true,
      people: rows.map(toPerson),
      ownTotalMs: rows.find((row) => row.userId === userId)?.totalMs ?? null,
      serverNowMs: now.getTime(),
    };
  }

  const nobody = (): Leaderboard => ({
    isOn: false,
    people: [],
    ownTotalMs: null,
    serverNowMs: clock.now().getTime(),
  });

  return {
    /** @throws ApiError `notSeated`. */
    async findOfRoom(userId: UserId, roomId: RoomId): Promise<Leaderboard> {
      const { isAround, isOn, userIds } = await repository.findVisibleInRoom(userId, roomId);
      if (!isAround) throw new ApiError('notSeated');
      return isOn ? boardOf(userId, userIds) : nobody();
    },

    async findOfFriends(userId: UserId): Promise<Leaderboard> {
      const { isOn, userIds } = await repository.findVisibleFriends(userId);
      return isOn ? boardOf(userId, userIds) : nobody();
    },

    isOn: repository.isOn,

    async setShown(userId: UserId, isOn: boolean): Promise<void> {
      const change = await repository.setShown(userId, isOn, clock.now());
      if (change) rooms.publish('updated', [change]);
    },
  };
}

function toPerson(row: LeaderboardRow): LeaderboardPerson {
  return {
    userId: row.userId,
    nickname: row.nickname,
    profileImage: row.profileImage,
    level: studyLevelOf(row.totalMs),
    focusMs: Math.min(row.focusMs, LEADERBOARD_DAY_MAX_MS),
    runningSinceMs: row.runningSince?.getTime() ?? null,
    dayEndsAtMs: row.dayEndsAt.getTime(),
    ...(row.phases && { phases: row.phases }),
  };
}

/** The leaderboards of rooms and friends, and each learner's consent to be shown. */
export function createLeaderboard(context: AppContext, rooms: RoomsService): void {
  const { http } = context;
  const leaderboard = createService(context, rooms);
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
