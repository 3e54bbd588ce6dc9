import { BLOCKS_MAX, type UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { lockPair } from '../users/index.ts';
import type { BlocksTables } from './blocks.tables.ts';

/** The blocks of one learner. */
export interface LearnerBlocks {
  /** The learners that they block. */
  readonly blocks: ReadonlySet<UserId>;
  /** The learners that they block or are blocked by. */
  readonly apart: ReadonlySet<UserId>;
}

/** The only queries on blocks. */
export function createBlocksRepository(database: Database) {
  const db = database.withTables<BlocksTables>();
  return {
    /** The learners that one blocks, oldest block first, and whether the two had met. */
    async findBlocked(blockerId: UserId) {
      const rows = await db
        .selectFrom('block')
        .select(['blocked_id', 'has_met'])
        .where('blocker_id', '=', blockerId)
        .orderBy('created_at')
        .orderBy('blocked_id')
        .execute();
      return rows.map((row) => ({ userId: row.blocked_id, hasMet: row.has_met }));
    },

    /** The blocks of each learner, in their order. */
    async findBlocks(userIds: readonly UserId[]): Promise<LearnerBlocks[]> {
      const rows = await db
        .selectFrom('block')
        .select(['blocker_id', 'blocked_id'])
        .where(
          sql<boolean>`(blocker_id = any(${userIds}::bigint[]) or blocked_id = any(${userIds}::bigint[]))`,
        )
        .execute();
      const blocks = Map.groupBy(rows, (row) => row.blocker_id);
      const blockedBy = Map.groupBy(rows, (row) => row.blocked_id);
      return userIds.map((userId) => {
        const blocked = blocks.get(userId)?.map((row) => row.blocked_id) ?? [];
        const blockers = blockedBy.get(userId)?.map((row) => row.blocker_id) ?? [];
        return { blocks: new Set(blocked), apart: new Set([...blocked, ...blockers]) };
      });
    },

    /**
     * Stores a block; false beyond the limit, which a repeated block never exceeds. `also` runs in the same
     * transaction, which locks the pair.
     */
    insert: (
      blockerId: UserId,
      blockedId: UserId,
      now: Date,
      also: (transaction: Database) => Promise<void>,
    ): Promise<boolean> =>
      database.transaction().execute(async (transaction) => {
        await lockPair(blockerId, blockedId).execute(transaction);
        const { rows } = await sql`
          insert into block (blocker_id, blocked_id, created_at, has_met)
          select ${blockerId}, ${blockedId}, ${now}, ${hasMet(blockerId, blockedId)}
          where (select count(*) from block where blocker_id = ${blockerId}) < ${BLOCKS_MAX}
             or exists (select from block where blocker_id = ${blockerId} and blocked_id = ${blockedId})
          on conflict (blocker_id, blocked_id) do update set created_at = block.created_at
          returning blocked_id`.execute(transaction);
        if (rows.length === 0) return false;
        await also(transaction);
        return true;
      }),

    async delete(blockerId: UserId, blockedId: UserId): Promise<void> {
      await db
        .deleteFrom('block')
        .where('blocker_id', '=', blockerId)
        .where('blocked_id', '=', blockedId)
        .execute();
    },
  };
}

/**
 * SQL for "one of the two blocks the other": the condition that keeps a pair out of one room.
 * @param learner a learner's id, or a reference to one.
 * @param other a reference to another's, such as `seat.user_id`.
 */
export function isBlockedPair(
  learner: UserId | RawBuilder<unknown>,
  other: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`exists (
    select from block
    where (blocker_id = ${learner} and blocked_id = ${other})
       or (blocker_id = ${other} and blocked_id = ${learner})
  )`;
}

/**
 * SQL for "the learner has seen the other's name": they were in one room at the same time, the other wrote in
 * the chat of the learner's gathering, or they are friends or one asked the other.
 */
function hasMet(learner: UserId, other: UserId): RawBuilder<boolean> {
  return sql`(
    exists (
      select from visit as own join visit as theirs
        on theirs.user_id = ${other} and theirs.room_id = own.room_id
       and own.began_at <= coalesce(theirs.ended_at, 'infinity')
       and theirs.began_at <= coalesce(own.ended_at, 'infinity')
      where own.user_id = ${learner}
    ) or exists (
      select from seat join study_room as room on room.id = seat.room_id
      join chat_message as message
        on message.sender_id = ${other} and message.room_id = room.id and message.epoch = room.epoch
      where seat.user_id = ${learner}
    ) or exists (
      select from friendship where user_id = ${learner} and friend_id = ${other}
    ) or exists (
      select from friend_request
      where (asker_id = ${learner} and asked_id = ${other})
         or (asker_id = ${other} and asked_id = ${learner})
    )
  )`;
}

/** SQL for "this learner blocks somebody or is blocked by somebody". */
export function hasBlocks(learner: UserId): RawBuilder<boolean> {
  return sql`exists (select from block where ${learner} in (blocker_id, blocked_id))`;
}

export type BlocksRepository = ReturnType<typeof createBlocksRepository>;
