import * as z from 'zod/mini';
import { MINUTE_MS } from '../durations.ts';
import { GroupId } from '../ids.ts';
import type { RateLimit } from '../limits.ts';
import type { RouteDefinition } from '../route.ts';

/** Reading: the page of a group asks again while it is open. */
export const groupReadRate: RateLimit = {
  name: 'groupRead',
  max: 120,
  windowMs: MINUTE_MS,
  per: 'user',
};
export const groupChangeRate: RateLimit = {
  name: 'groupChange',
  max: 30,
  windowMs: MINUTE_MS,
  per: 'user',
};

export const ofGroup = {
  access: 'login',
  params: z.object({ groupId: GroupId }),
  limit: groupChangeRate,
} as const satisfies Partial<RouteDefinition>;

export const memberErrors = ['unauthorized', 'groupMembersOnly'] as const;
export const leaderErrors = [...memberErrors, 'groupLeadersOnly'] as const;
export const done = z.object({ groupId: GroupId });
