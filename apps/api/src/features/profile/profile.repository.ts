import type { UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { countOneUpdate, type SeatChange } from '../rooms/index.ts';
import { changeNickname, type StoredNickname } from '../users/index.ts';

/** Queries that change the public profile of a learner. */
export function createProfileRepository(database: Database) {
  return {
    /**
     * Changes a nickname, and counts the change for the room in the same statement.
     * @returns its number in the room's roster; null if others see no change.
     */
    async changeNickname(userId: UserId, name: StoredNickname): Promise<SeatChange | null> {
      const { rows } = await sql<SeatChange>`
        with ${changeNickname(userId, name)},
        ${countOneUpdate(sql<UserId>`(select user_id from nickname_changed)`)}
        select user_id as "userId", room_id as "roomId", number from counted_update`.execute(
        database,
      );
      return rows[0] ?? null;
    },
  };
}

export type ProfileRepository = ReturnType<typeof createProfileRepository>;
