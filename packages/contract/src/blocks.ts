import * as z from 'zod/mini';
import { UserId } from './ids.ts';
import { route } from './route.ts';

/** Learners one may block at most. */
export const BLOCKS_MAX = 500;

const BlockedIds = z.object({ blockedIds: z.array(UserId) });

export const getBlocks = route({
  method: 'GET',
  path: '/api/blocks',
  summary: 'Whom the caller blocks',
  access: 'login',
  reply: BlockedIds,
  errors: ['unauthorized'],
});

/**
 * Somebody whom a learner blocks, by the name and picture they have now; null of whom the learner had
 * not met in a room.
 */
const BlockedPerson = z.object({
  userId: UserId,
  nickname: z.nullable(z.string()),
  profileImage: z.nullable(z.string()),
});
export type BlockedPerson = z.infer<typeof BlockedPerson>;

export const getBlockedPeople = route({
  method: 'GET',
  path: '/api/blocks/people',
  summary: 'Whom the caller blocks, with names and pictures, oldest block first',
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
  limit: 'blocks',
});

export const unblockUser = route({
  method: 'DELETE',
  path: '/api/blocks/:blockedId',
  summary: 'Unblocks a learner; unblocking somebody who is not blocked changes nothing',
  access: 'login',
  params: z.object({ blockedId: UserId }),
  reply: BlockedIds,
  errors: ['unauthorized'],
  limit: 'blocks',
});
