import { getGoal, putGoal } from '@mogakgong/contract';
import type { HttpServer } from '../../platform/http/index.ts';
import type { GoalsService } from './goals.service.ts';

export function serveGoals(http: HttpServer, goals: GoalsService): void {
  http.serve(getGoal, async ({ caller }) => goals.find(caller.userId));
  http.serve(putGoal, async ({ caller, body }) => goals.save(caller.userId, body));
}
