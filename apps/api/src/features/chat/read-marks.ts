import {
  type ChatPosition,
  chatMessageId,
  markChatRead,
  parseChatMessageId,
  type UserId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import { arrivalBatches, createBatcher } from '../../platform/batch/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { AppContext } from '../sanctions/index.ts';

/** Seats per query. */
const SEATS_AT_ONCE = 1_000;
/** Maximum number of unread messages that are told apart from older ones before the first mark. */
const UNREAD_MAX = 200;

/**
 * The last message that each learner has read in their room, on any device. It ends with the seat.
 * @returns finds the number of it for a seated learner; before the first mark it is that of the last message
 *   before they entered.
 */
export function createReadMarks(
  { http, database }: AppContext,
  { notices }: { readonly notices: Notices },
): (userId: UserId) => Promise<number> {
  http.serve(markChatRead, async ({ caller, body }) => {
    const position = parseChatMessageId(body.messageId);
    if (!position) throw new ApiError('invalidRequest');
    const { isSeated, isNew } = await mark(caller.userId, position);
    if (!isSeated) throw new ApiError('notSeated');
    if (isNew) {
      notices.send(caller.userId, { kind: 'chatRead', messageId: chatMessageId(position) });
    }
    return {};
  });

  /** Never moves back: of two tabs the one that has read more counts. */
  async function mark(userId: UserId, { roomId, epoch, number }: ChatPosition) {
    const { rows } = await sql<{ isSeated: boolean; isNew: boolean }>`
      with own as (
        select user_id from room_member
        where user_id = ${userId} and room_id = ${roomId} and epoch = ${epoch}
      ), moved as (
        update seat set read_number = ${number}
        where user_id in (select user_id from own) and read_number < ${number}
        returning user_id
      )
      select exists (select from own) as "isSeated", exists (select from moved) as "isNew"`.execute(
      database,
    );
    return rows[0] ?? { isSeated: false, isNew: false };
  }

  return createBatcher(
    async (userIds: readonly UserId[]) => {
      const { rows } = await sql<{ userId: UserId; number: number }>`
        select seat.user_id as "userId", case when read_number > 0 then read_number else coalesce((
          select max(number) from (
            select number, sent_at from chat_message
            where chat_message.room_id = member.room_id and chat_message.epoch = member.epoch
            order by number desc limit ${UNREAD_MAX}
          ) as newest
          where sent_at <= seat.entered_at
        ), 0) end as number
        from seat join room_member as member on member.user_id = seat.user_id
        where seat.user_id = any(${userIds}::bigint[])`.execute(database);
      const numbers = new Map(rows.map(({ userId, number }) => [userId, number]));
      return userIds.map((userId) => numbers.get(userId) ?? 0);
    },
    SEATS_AT_ONCE,
    arrivalBatches,
  );
}
