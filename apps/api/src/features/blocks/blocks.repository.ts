import { BLOCKS_MAX, type UserId } from '@mogakgong/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import { lockPair } from '../users/index.ts';

/** The blocks of one learner. */
export interface LearnerBlocks {
  /** The learners that they block. */
  readonly blocks: ReadonlySet<UserId>;
  /** The learners that they block or are blocked by. */
  readonly apart: ReadonlySet<UserId>;
}

/** The only queries on blocks. */
export function createBlocksRepository(database: Database) {
  return {
    /** The learners that one blocks, oldest block first, and whether the two had met. */
    async findBlocked(blockerId: UserId) {
      const { rows } = await sql<{ userId: UserId; hasMet: boolean }>`
        select blocked_id as "userId", has_met as "hasMet" from block
        where blocker_id = ${blockerId} order by created_at, blocked_id`.execute(database);
      return rows;
    },

    /** The blocks of each learner, in their order. */
    async findBlocks(userIds: readonly UserId[]): Promise<LearnerBlocks[]> {
      const { rows } = await sql<{ blockerId: UserId; blockedId: UserId }>`
        select blocker_id as "blockerId", blocked_id as "blockedId" from block
        where blocker_id = any(${userIds}::bigint[])
           or blocked_id = any(${userIds}::bigint[])`.execute(database);
      const blocks = Map.groupBy(rows, (row) => row.blockerId);
      const blockedBy = Map.groupBy(rows, (row) => row.blockedId);
      return userIds.map((userId) => {
        const blocked = blocks.get(userId)?.map((row) => row.blockedId) ?? [];
        const blockers = blockedBy.get(userId)?.map((row) => row.blockerId) ?? [];
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
      await sql`
        delete from block where blocker_id = ${blockerId} and blocked_id = ${blockedId}`.execute(
        database,
      );
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

/** SQL for "the first learner blocks the second". */
export function isBlocking(
  blocker: UserId | RawBuilder<unknown>,
  blocked: UserId | RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql`exists (
    select from block where blocker_id = ${blocker} and blocked_id = ${blocked}
  )`;
}

/**
 * SQL for "the learner has seen the other's name": they were in one room at the same time, the other wrote in
 * the chat of the learner's gathering, or they are friends or one asked the other.
 */
function hasMet(learner: UserId, other: UserId): RawBuilder<boolean> {
  return sql`(
    exists (
      -- In the order of their beginnings: whether somebody was still there from before. Each row is read once.
      select from (
        select user_id, began_at,
               max(ended_at) filter (where user_id = ${learner}) over earlier as own_until,
               max(ended_at) filter (where user_id = ${other}) over earlier as their_until
        from stay where user_id in (${learner}, ${other})
        window earlier as (partition by room_id order by began_at rows unbounded preceding)
      ) as stays
      where began_at <= case user_id when ${learner} then their_until else own_until end
    ) or exists (
      select from room_member as member join chat_author as author using (room_id, epoch)
      where member.user_id = ${learner} and author.user_id = ${other}
    ) or exists (
      select from acquaintance where user_id = ${learner} and other_id = ${other}
    )
  )`;
}

/** SQL for "this learner blocks somebody or is blocked by somebody". */
export function hasBlocks(learner: UserId): RawBuilder<boolean> {
  return sql`exists (select from block where ${learner} in (blocker_id, blocked_id))`;
}

export type BlocksRepository = ReturnType<typeof createBlocksRepository>;
