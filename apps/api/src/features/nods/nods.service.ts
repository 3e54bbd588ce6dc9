import { nodsToOnePerson, type RoomId, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { ApiError, requireAllowed } from '../../platform/http/index.ts';
import type { Limits } from '../../platform/limits/index.ts';
import { isBlockedPair } from '../blocks/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import type { SanctionsService } from '../sanctions/index.ts';

export interface NodsParts {
  readonly database: Database;
  readonly rooms: RoomsService;
  readonly notices: Notices;
  readonly limits: Limits;
  readonly sanctions: Pick<SanctionsService, 'standing'>;
}

/** Nods from one learner to another in the room: delivered, never stored (decision 093). */
export function createNodsService({ database, rooms, notices, limits, sanctions }: NodsParts) {
  const perPair = limits.shared('nod-to-one', nodsToOnePerson);

  /** Whether both sit in the room without a block between them. */
  async function reaches(fromId: UserId, roomId: RoomId, toId: UserId): Promise<boolean> {
    const { rows } = await sql`
      select from seat
      where user_id = ${toId} and room_id = ${roomId}
        and not ${isBlockedPair(fromId, sql`seat.user_id`)}`.execute(database);
    return rows.length > 0;
  }

  return {
    /**
     * An absent learner, or one behind a block, receives nothing; the caller does not learn which.
     * @throws ApiError `notSeated`, `chatMuted`, `tooManyRequests`.
     */
    async send(fromId: UserId, roomId: RoomId, toId: UserId): Promise<void> {
      if ((await rooms.findSeat(fromId))?.roomId !== roomId) throw new ApiError('notSeated');
      sanctions.standing.refuseMuted(fromId, 'chatMuted');
      if (fromId === toId) return;
      await requireAllowed(perPair.consume(`${fromId}:${toId}`));
      if (await reaches(fromId, roomId, toId)) {
        notices.send(toId, { kind: 'nod', roomId, fromUserId: fromId });
      }
    },
  };
}

export type NodsService = ReturnType<typeof createNodsService>;
