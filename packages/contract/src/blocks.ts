import * as z from 'zod/mini';
import { MINUTE_MS } from './durations.ts';
import { UserId } from './ids.ts';
import type { RateLimit } from './limits.ts';
import { route } from './route.ts';

/** Each change makes the pages of both read the whiteboard of a shared room anew. */
const blocksRate: RateLimit = { name: 'blocks', max: 10, windowMs: MINUTE_MS, per: 'user' };

/** Maximum number of learners that one learner may block. */
export const BLOCKS_MAX = 500;

const BlockedIds = z.object({ blockedIds: z.array(UserId) });

export const getBlocks = route({
  method: 'GET',
  path: '/api/blocks',
  summary: 'The ids of the learners that the caller blocks',
  access: 'login',
  reply: BlockedIds,
  errors: ['unauthorized'],
});

/** A blocked learner with their current name and picture; both null if the two never met in a room. */
const BlockedPerson = z.object({
  userId: UserId,
  nickname: z.nullable(z.string()),
  profileImage: z.nullable(z.string()),
});
export type BlockedPerson = z.infer<typeof BlockedPerson>;

export const getBlockedPeople = route({
  method: 'GET',
  path: '/api/blocks/people',
  summary: 'The learners that the caller blocks, with names and pictures, oldest block first',
  access: 'login',
  reply: z.object({ people: z.array(BlockedPerson) }),
  errors: ['unauthorized'],
});

export const blockUser = route({
  method: 'PUT',
  path: '/api/blocks/:blockedId',
  summary: 'Blocks a learner; blocking twice changes nothing',
  access: 'login',
  params: z.object({ blockedId: UserId }),
  reply: BlockedIds,
  errors: ['unauthorized', 'userNotFound', 'cannotBlockYourself', 'tooManyBlocks'],
  limit: blocksRate,
});

export const unblockUser = route({
  method: 'DELETE',
  path: '/api/blocks/:blockedId',
  summary: 'Unblocks a learner; unblocking somebody who is not blocked changes nothing',
  access: 'login',
  params: z.object({ blockedId: UserId }),
  reply: BlockedIds,
  errors: ['unauthorized'],
  limit: blocksRate,
});
