import { getGoal, putGoal } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { createGoalsService } from './goals.service.ts';

export function serveGoals(http: HttpServer, goals: ReturnType<typeof createGoalsService>): void {
  http.serve(getGoal, async ({ caller }) => goals.find(caller.userId));
  http.serve(putGoal, async ({ caller, body }) => goals.save(caller.userId, body));
}
