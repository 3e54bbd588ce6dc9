import {
  type ChatPosition,
  REACTIONS_PER_ANSWER,
  REACTIONS_PER_MESSAGE,
  type Reaction,
  type ReactionChange,
  type UserId,
} from '@mogakgong/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { Gathering } from '../realtime/index.ts';
import { leavingUsers } from '../users/index.ts';

/** SQL for a row of `chat_reaction` as a change. */
export const reactionJson = sql`json_build_object(
  'message', chat_reaction.message_number, 'userId', chat_reaction.user_id,
  'reaction', chat_reaction.reaction, 'number', chat_reaction.number
)`;

/** The reactions of a gathering that a learner or a process knows already. */
export interface KnownReactions extends Gathering {
  /** The number of the last known change; 0 for none. */
  readonly number: number;
  /** The messages to count reactions of: those from this number, or as many of the newest. */
  readonly messages: { readonly from: number; readonly newest: number };
}

/** The newest changes after a known number, and the number up to which they are complete. */
export interface ReactionChanges {
  readonly number: number;
  readonly changes: readonly ReactionChange[];
}

/** The outcome of a press: `isFull` if the message takes no more, a null number if it changed nothing. */
interface StoredReaction {
  readonly number: number | null;
  readonly isFull: boolean;
}

/** The only queries that read changes of reactions, and write them. */
export function createReactionsRepository(db: Database) {
  return {
    /**
     * Stores the one reaction of a learner to a message, or takes it back, and gives the change a number.
     * Rejects with a broken foreign key if the message is deleted.
     */
    async store(
      { roomId, epoch, number }: ChatPosition,
      userId: UserId,
      reaction: Reaction | null,
    ): Promise<StoredReaction> {
      const { rows } = await sql<StoredReaction>`
        with given as (
          select coalesce(bool_or(user_id = ${userId} and reaction is not null), false) as was_given,
                 max(reaction) filter (where user_id = ${userId}) as before,
                 count(*) filter (where user_id <> ${userId}) >= ${REACTIONS_PER_MESSAGE} as is_full
          from chat_reaction
          where room_id = ${roomId} and epoch = ${epoch} and message_number = ${number}
        ), counted as (
          -- The row of the counter stays locked until the change is committed: numbers follow that order.
          update chat_counter set last_reaction = last_reaction + 1
          from given
          where room_id = ${roomId} and epoch = ${epoch} and before is distinct from ${reaction}::text
            and (was_given or not is_full)
          returning last_reaction
        ), stored as (
          insert into chat_reaction (room_id, epoch, message_number, user_id, reaction, number)
          select ${roomId}, ${epoch}, ${number}, ${userId}, ${reaction}, last_reaction from counted
          on conflict (room_id, epoch, message_number, user_id)
            do update set reaction = excluded.reaction, number = excluded.number
          returning number
        )
        select (select number from stored) as number, is_full and not was_given as "isFull"
        from given`.execute(db);
      return rows[0] as StoredReaction;
    },

    /** The later changes for each of `known`, by number: the newest `REACTIONS_PER_ANSWER`. */
    async findSince(known: readonly KnownReactions[]): Promise<ReactionChanges[]> {
      const { rows } = await sql<ReactionChanges & { readonly place: number }>`
        select asked.place::integer, counter.last_reaction as number, coalesce((
          select json_agg(change order by number)
          from (
            select ${reactionJson} as change, chat_reaction.number
            from chat_reaction
            where chat_reaction.room_id = asked.room_id and chat_reaction.epoch = asked.epoch
              and chat_reaction.number > asked.number
              and (asked.number > 0 or reaction is not null)
              and message_number >= greatest(asked.first, counter.last_number - asked.newest + 1)
              and user_id not in ${leavingUsers}
            order by chat_reaction.number desc limit ${REACTIONS_PER_ANSWER}
          ) as newest
        ), '[]') as changes
        from unnest(
          ${known.map((each) => each.roomId)}::bigint[], ${known.map((each) => each.epoch)}::integer[],
          ${known.map((each) => each.number)}::bigint[],
          ${known.map(({ messages }) => messages.from)}::bigint[],
          ${known.map(({ messages }) => messages.newest)}::bigint[]
        ) with ordinality as asked (room_id, epoch, number, first, newest, place)
        join chat_counter as counter using (room_id, epoch)`.execute(db);
      const found = new Map(rows.map(({ place, ...changes }) => [place, changes]));
      return known.map((_each, index) => found.get(index + 1) ?? { number: 0, changes: [] });
    },

    /** The last number given to a change in each gathering. */
    async findLastNumbers(gatherings: readonly Gathering[]): Promise<ChatPosition[]> {
      const { rows } = await sql<ChatPosition>`
        select room_id as "roomId", epoch, last_reaction as number
        from chat_counter join unnest(
          ${gatherings.map((g) => g.roomId)}::bigint[], ${gatherings.map((g) => g.epoch)}::integer[]
        ) as asked (room_id, epoch) using (room_id, epoch)`.execute(db);
      return rows;
    },
  };
}

export type ReactionsRepository = ReturnType<typeof createReactionsRepository>;
