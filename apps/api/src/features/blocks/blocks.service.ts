import type { BlockedPerson, UserId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { type Database, isForeignKeyBroken } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { UsersService } from '../users/index.ts';
import type { BlockedPairs } from './blocked-pairs.ts';
import type { BlocksRepository } from './blocks.repository.ts';

interface BlocksParts {
  readonly repository: BlocksRepository;
  readonly users: Pick<UsersService, 'findCards'>;
  readonly pairs: Pick<BlockedPairs, 'publish'>;
  readonly clock: Clock;
}

/** Deletes data that a new block ends, in the transaction that stores the block and locks the pair. */
type BlockStep = (transaction: Database, blockerId: UserId, blockedId: UserId) => Promise<void>;
type ChangeListener = (blockerId: UserId, blockedIds: readonly UserId[]) => void;

/** The learners' blocks, stored on the server so that they apply on every device. */
export function createBlocksService({ repository, users, pairs, clock }: BlocksParts) {
  const listeners: ChangeListener[] = [];
  const steps: BlockStep[] = [];

  async function list(blockerId: UserId): Promise<UserId[]> {
    return (await repository.findBlocked(blockerId)).map(({ userId }) => userId);
  }

  async function publishChange(blockerId: UserId): Promise<UserId[]> {
    const blockedIds = await list(blockerId);
    for (const listener of listeners) listener(blockerId, blockedIds);
    return blockedIds;
  }

  return {
    list,

    /**
     * The learners that one blocks, oldest block first: with current name and picture if they had met, so
     * that blocking arbitrary ids reveals nothing.
     */
    async listPeople(blockerId: UserId): Promise<BlockedPerson[]> {
      const blocked = await repository.findBlocked(blockerId);
      const met = blocked.flatMap(({ userId, hasMet }) => (hasMet ? userId : []));
      const cards = await users.findCards(met);
      return blocked.flatMap(({ userId, hasMet }): BlockedPerson[] => {
        if (!hasMet) return [{ userId, nickname: null, profileImage: null }];
        const card = cards.get(userId);
        return card ? [{ userId, nickname: card.nickname, profileImage: card.profileImage }] : [];
      });
    },

    /** @throws ApiError `cannotBlockYourself`, `userNotFound` or `tooManyBlocks`. */
    async block(blockerId: UserId, blockedId: UserId): Promise<UserId[]> {
      if (blockerId === blockedId) throw new ApiError('cannotBlockYourself');
      const hadRoom = await repository
        .insert(blockerId, blockedId, clock.now(), async (transaction) => {
          for (const step of steps) await step(transaction, blockerId, blockedId);
        })
        .catch((error: unknown) => {
          throw isForeignKeyBroken(error) ? new ApiError('userNotFound', { cause: error }) : error;
        });
      if (!hadRoom) throw new ApiError('tooManyBlocks');
      pairs.publish({ blockerId, blockedId, isBlocked: true });
      return publishChange(blockerId);
    },

    async unblock(blockerId: UserId, blockedId: UserId): Promise<UserId[]> {
      await repository.delete(blockerId, blockedId);
      pairs.publish({ blockerId, blockedId, isBlocked: false });
      return publishChange(blockerId);
    },

    /** Runs `step` in the transaction of every new block. */
    addBlockStep(step: BlockStep): void {
      steps.push(step);
    },

    /** Calls `listener` with the whole list whenever a learner's list changes. */
    onChange(listener: ChangeListener): void {
      listeners.push(listener);
    },
  };
}

export type BlocksService = ReturnType<typeof createBlocksService>;
