import { MINUTE_MS, type RateLimit } from '../limits.ts';
import { route } from '../route.ts';
import { DatedGoal, GoalPayload } from './goals.ts';

const goalsRate: RateLimit = { name: 'goals', max: 30, windowMs: MINUTE_MS, per: 'user' };

export const getGoal = route({
  method: 'GET',
  path: '/api/goals/today',
  summary: "The caller's target and tasks for today",
  access: 'login',
  reply: DatedGoal,
  errors: ['unauthorized'],
  limit: goalsRate,
});

export const putGoal = route({
  method: 'PUT',
  path: '/api/goals/today',
  summary: 'Sets target, tasks and whether others see them; the whole goal, not a part of it',
  access: 'login',
  body: GoalPayload,
  reply: DatedGoal,
  errors: ['unauthorized', 'goalTaskMalformed', 'goalDayEnded', 'textMuted'],
  limit: goalsRate,
});
