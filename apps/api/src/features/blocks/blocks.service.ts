import type { UserId } from '@mogakgong/contract';
import type { Clock } from '../../platform/clock/index.ts';
import { isForeignKeyBroken } from '../../platform/database/index.ts';
import { ApiError } from '../../platform/http/index.ts';
import type { BlocksRepository } from './blocks.repository.ts';

interface BlocksParts {
  readonly repository: BlocksRepository;
  readonly clock: Clock;
}

type ChangeListener = (blockerId: UserId, blockedIds: readonly UserId[]) => void;

/** Who does not want to see whom; stored on the server, so that it holds on every device. */
export function createBlocksService({ repository, clock }: BlocksParts) {
  const listeners: ChangeListener[] = [];

  async function publishChange(blockerId: UserId): Promise<UserId[]> {
    const blockedIds = await repository.findBlockedIds(blockerId);
    for (const listener of listeners) listener(blockerId, blockedIds);
    return blockedIds;
  }

  return {
    list: (blockerId: UserId) => repository.findBlockedIds(blockerId),

    /** @throws ApiError `cannotBlockYourself`, `userNotFound` or `tooManyBlocks`. */
    async block(blockerId: UserId, blockedId: UserId): Promise<UserId[]> {
      if (blockerId === blockedId) throw new ApiError('cannotBlockYourself');
      const hadRoom = await repository
        .insert(blockerId, blockedId, clock.now())
        .catch((error: unknown) => {
          throw isForeignKeyBroken(error) ? new ApiError('userNotFound', { cause: error }) : error;
        });
      if (!hadRoom) throw new ApiError('tooManyBlocks');
      return publishChange(blockerId);
    },

    async unblock(blockerId: UserId, blockedId: UserId): Promise<UserId[]> {
      await repository.delete(blockerId, blockedId);
      return publishChange(blockerId);
    },

    /** Calls `listener` with the whole list whenever a learner's list changed. */
    onChange(listener: ChangeListener): void {
      listeners.push(listener);
    },
  };
}

export type BlocksService = ReturnType<typeof createBlocksService>;
