import {
  LEADERBOARD_DAY_MAX_MS,
  type Leaderboard,
  type LeaderboardPerson,
  type RoomId,
  studyLevelOf,
  type UserId,
} from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import type { SanctionsService } from '../sanctions/index.ts';
import type { LeaderboardRepository, LeaderboardRow } from './leaderboard.repository.ts';

export interface LeaderboardParts {
  readonly repository: LeaderboardRepository;
  readonly rooms: Pick<RoomsService, 'publishUpdate'>;
  readonly sanctions: Pick<SanctionsService, 'standing'>;
  readonly clock: Clock;
}

/** Today's focus of learners with their consent, visible only to each other (decision 099). */
export function createLeaderboardService(parts: LeaderboardParts) {
  const { repository, rooms, sanctions, clock } = parts;

  async function boardOf(userId: UserId, visible: readonly UserId[]): Promise<Leaderboard> {
    const now = clock.now();
    const shown = visible.filter((other) => !sanctions.standing.isSuspended(other));
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
      if (change) rooms.publishUpdate(change);
    },
  };
}

export type LeaderboardService = ReturnType<typeof createLeaderboardService>;

function toPerson(row: LeaderboardRow): LeaderboardPerson {
  return {
    userId: row.userId,
    nickname: row.nickname,
    profileImage: row.profileImage,
    level: studyLevelOf(row.totalMs),
    focusMs: Math.min(row.focusMs, LEADERBOARD_DAY_MAX_MS),
    runningSinceMs: row.runningSince?.getTime() ?? null,
    dayEndsAtMs: row.dayEndsAt.getTime(),
  };
}
