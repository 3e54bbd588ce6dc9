import { blockUser, getBlockedPeople, getBlocks, unblockUser } from '@mogakgong/contract';
import type { AppContext } from '../sanctions/index.ts';
import type { UsersService } from '../users/index.ts';
import { BlockedPairs } from './blocked-pairs.ts';
import { createBlocksRepository } from './blocks.repository.ts';
import { createBlocksService } from './blocks.service.ts';

/** Blocks between learners, and their effects on connected ones. */
export function createBlocks(context: AppContext, users: UsersService) {
  const { http, clock, database } = context;
  const repository = createBlocksRepository(database);
  const pairs = new BlockedPairs({ ...context, repository });
  const blocks = createBlocksService({ repository, users, pairs, clock });

  http.serve(getBlocks, async ({ caller }) => ({ blockedIds: await blocks.list(caller.userId) }));

  http.serve(getBlockedPeople, async ({ caller }) => ({
    people: await blocks.listPeople(caller.userId),
  }));

  http.serve(blockUser, async ({ caller, params }) => ({
    blockedIds: await blocks.block(caller.userId, params.blockedId),
  }));

  http.serve(unblockUser, async ({ caller, params }) => ({
    blockedIds: await blocks.unblock(caller.userId, params.blockedId),
  }));

  return { blocks, pairs };
}
