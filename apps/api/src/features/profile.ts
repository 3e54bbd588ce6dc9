import { changeNickname as changeNicknameRoute, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../platform/database/index.ts';
import { countOneUpdate, type RoomsService, type SeatChange } from './rooms/index.ts';
import type { AppContext } from './sanctions/index.ts';
import { changeNickname, type StoredNickname, storedNickname, takenError } from './users/index.ts';

/**
 * Changes a nickname, and counts the change for the room in the same statement.
 * @returns its number in the room's roster; null if others see no change.
 * @throws ApiError `nicknameTaken`.
 */
async function storeNickname(
  database: Database,
  userId: UserId,
  name: StoredNickname,
): Promise<SeatChange | null> {
  const { rows } = await sql<SeatChange>`
    with ${changeNickname(userId, name)},
    ${countOneUpdate(sql<UserId>`(select user_id from nickname_changed)`)}
    select user_id as "userId", room_id as "roomId", number from counted_update`
    .execute(database)
    .catch((cause: unknown) => {
      throw takenError(cause);
    });
  return rows[0] ?? null;
}

/**
 * Changes of the public profile, except the picture, for the learner and all others; their present nickname
 * changes nothing.
 */
export function createProfile(
  { database, http, sanctions }: AppContext,
  rooms: RoomsService,
): void {
  http.serve(changeNicknameRoute, async ({ caller: { userId }, body }) => {
    sanctions.inForce.refuseMuted(userId, 'textMuted');
    const name = storedNickname(body.newNickname);
    const change = await storeNickname(database, userId, name);
    if (change) rooms.publish('updated', [change]);
    return { nickname: name.nickname };
  });
}
