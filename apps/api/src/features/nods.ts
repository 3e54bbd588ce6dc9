import { type RoomId, sendNod, type UserId } from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../platform/database/index.ts';
import { ApiError, requireAllowed } from '../platform/http/index.ts';
import { isBlockedPair } from './blocks/index.ts';
import type { Notices } from './realtime/index.ts';
import type { RoomsService } from './rooms/index.ts';
import type { AppContext } from './sanctions/index.ts';

/** Nods from one learner to one other (decision 093). */
const nodsToOnePerson = { max: 1, windowMs: 20_000 } as const;

interface NodsUses {
  readonly rooms: RoomsService;
  readonly notices: Notices;
}

/**
 * Nods from one learner to another in the room: delivered, never stored (decision 093). An absent learner, or
 * one behind a block, receives nothing; the caller does not learn which.
 */
export function createNods(context: AppContext, { rooms, notices }: NodsUses): void {
  const { http, database, limits, sanctions } = context;
  const perPair = limits.shared('nod-to-one', nodsToOnePerson);

  http.serve(sendNod, async ({ caller: { userId: fromId }, params: { roomId }, body }) => {
    const { toUserId: toId } = body;
    if ((await rooms.findSeat(fromId))?.roomId !== roomId) throw new ApiError('notSeated');
    sanctions.inForce.refuseMuted(fromId, 'chatMuted');
    if (fromId === toId) return body;
    await requireAllowed(perPair.consume(`${fromId}:${toId}`));
    if (await reaches(database, fromId, roomId, toId)) {
      notices.send(toId, { kind: 'nod', roomId, fromUserId: fromId });
    }
    return body;
  });
}

/** Whether both sit in the room without a block between them. */
async function reaches(
  db: Database,
  fromId: UserId,
  roomId: RoomId,
  toId: UserId,
): Promise<boolean> {
  const { rows } = await sql`
    select from room_member as member
    where user_id = ${toId} and room_id = ${roomId}
      and not ${isBlockedPair(fromId, sql`member.user_id`)}`.execute(db);
  return rows.length > 0;
}
