import { blockUser, getBlockedPeople, getBlocks, unblockUser } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { BlocksService } from './blocks.service.ts';

export function serveBlocks(http: HttpServer, blocks: BlocksService): void {
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
}
