import { MINUTE_MS } from '../durations.ts';
import type { RateLimit } from '../limits.ts';
import { route } from '../route.ts';
import { DatedGoal, GoalPayload } from './goals.ts';

const goalsRate: RateLimit = { name: 'goals', max: 30, windowMs: MINUTE_MS, per: 'user' };

export const getGoal = route({
  method: 'GET',
  path: '/api/goals/today',
  summary: "The caller's targets, tasks for today, plan and exam days",
  access: 'login',
  reply: DatedGoal,
  errors: ['unauthorized'],
  limit: goalsRate,
});

export const putGoal = route({
  method: 'PUT',
  path: '/api/goals/today',
  summary: 'Sets targets, tasks, plan and exam days; the whole of each, not a part of it',
  access: 'login',
  body: GoalPayload,
  reply: DatedGoal,
  errors: ['unauthorized', 'goalTaskMalformed', 'goalDayFull', 'examMalformed', 'goalDayEnded'],
  limit: goalsRate,
});
