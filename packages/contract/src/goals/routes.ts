import { route } from '../route.ts';
import { DatedGoal, GoalPayload } from './goals.ts';

export const getGoal = route({
  method: 'GET',
  path: '/api/goals/today',
  summary: "The caller's target and tasks for today",
  access: 'login',
  reply: DatedGoal,
  errors: ['unauthorized'],
  limit: 'goals',
});

export const putGoal = route({
  method: 'PUT',
  path: '/api/goals/today',
  summary: 'Sets target, tasks and whether others see them; the whole goal, not a part of it',
  access: 'login',
  body: GoalPayload,
  reply: DatedGoal,
  errors: ['unauthorized', 'goalTaskMalformed', 'goalDayEnded', 'textMuted'],
  limit: 'goals',
});
