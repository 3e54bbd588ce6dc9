import type { FollowedPhases, RoomId, UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { isBlockedPair } from '../blocks/index.ts';
import { msBetween, runningIntervals, todayQuery } from '../focus/index.ts';
import { friendsOf } from '../friends/index.ts';
import { countOneUpdate, type SeatChange } from '../rooms/index.ts';
import { leavingUsers, userCards } from '../users/index.ts';

/** The learners around one that they may see. */
interface Visible {
  /** Whether the learner is one of them. */
  readonly isAround: boolean;
  readonly isOn: boolean;
  /** The learners shown on boards, including the learner if so. */
  readonly userIds: readonly UserId[];
}

/** A learner on a board. */
export interface LeaderboardRow {
  readonly userId: UserId;
  readonly nickname: string;
  readonly profileImage: string;
  /** Today, as in `Today`. */
  readonly focusMs: number;
  readonly runningSince: Date | null;
  readonly phases: FollowedPhases | null;
  readonly dayEndsAt: Date;
  /** Focus of all days, the running interval included. */
  readonly totalMs: number;
}

/** SQL for the learners in a room, if the learner sits there: (user_id), themselves included. */
function seatedWith(userId: UserId, roomId: RoomId): RawBuilder<unknown> {
  return sql`(
    select other.user_id from room_member as own join room_member as other using (room_id)
    where own.user_id = ${userId} and room_id = ${roomId}
  )`;
}

/** SQL for a learner's friends: (user_id), the learner included. */
function friendsWith(userId: UserId): RawBuilder<unknown> {
  return sql`(select ${userId}::bigint as user_id union all ${friendsOf(userId)})`;
}

/** The queries on leaderboards and their members. */
export function createLeaderboardRepository(database: Database) {
  /** @param around SQL for the candidates of a board: (user_id), the learner included. */
  async function findVisible(userId: UserId, around: RawBuilder<unknown>): Promise<Visible> {
    const { rows } = await sql<Visible>`
      with around as materialized ${around}
      select exists (select from around where user_id = ${userId}) as "isAround",
             ${isMember(userId)} as "isOn",
             (
               select coalesce(json_agg(user_id), '[]')
               from around join leaderboard_member using (user_id)
               where user_id not in ${leavingUsers}
                 and not ${isBlockedPair(userId, sql`around.user_id`)}
             ) as "userIds"`.execute(database);
    const [visible] = rows;
    if (!visible) throw new Error('a query without FROM has one row');
    return visible;
  }

  return {
    findVisibleInRoom: (userId: UserId, roomId: RoomId) =>
      findVisible(userId, seatedWith(userId, roomId)),

    findVisibleFriends: (userId: UserId) => findVisible(userId, friendsWith(userId)),

    async findRows(userIds: readonly UserId[], now: Date): Promise<LeaderboardRow[]> {
      const running = runningIntervals(sql.ref('today.userId'), now);
      const { rows } = await sql<LeaderboardRow>`
        select today.*, card.nickname, card.profile_image as "profileImage", (
          coalesce((select focus_ms from study_record where user_id = today."userId"), 0)
          + coalesce((
              select sum(${msBetween(sql`started_at`, sql`ended_at`)})::bigint
              from ${running} as running where status = 'focus'
            ), 0)
        ) as "totalMs"
        from (${todayQuery(userIds, now)}) as today
        join ${userCards} as card on card.user_id = today."userId"`.execute(database);
      return rows;
    },

    async isOn(userId: UserId): Promise<boolean> {
      const { rows } = await sql<{ isOn: boolean }>`
        select ${isMember(userId)} as "isOn"`.execute(database);
      return rows[0]?.isOn ?? false;
    },

    /**
     * Shows a learner on boards or hides them, and counts the change for their room in the same statement.
     * @returns its number in the room's roster; null if others see no change.
     */
    async setShown(userId: UserId, isOn: boolean, now: Date): Promise<SeatChange | null> {
      const change = isOn
        ? sql`insert into leaderboard_member values (${userId}, ${now}) on conflict do nothing`
        : sql`delete from leaderboard_member where user_id = ${userId}`;
      const { rows } = await sql<SeatChange>`
        with turned as (${change} returning user_id),
        ${countOneUpdate(sql<UserId>`(select user_id from turned)`)}
        select user_id as "userId", room_id as "roomId", number from counted_update`.execute(
        database,
      );
      return rows[0] ?? null;
    },
  };
}

function isMember(userId: UserId): RawBuilder<boolean> {
  return sql`exists (select from leaderboard_member where user_id = ${userId})`;
}
