import {
  type DatedGoal,
  type GoalPayload,
  type GoalTask,
  goalTaskText,
  type StudyDay,
  type UserId,
} from '@mogakgong/contract';
import { ApiError } from '../../platform/http/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import type { FocusService, FocusUses } from './focus.service.ts';
import { createGoalsRepository } from './goals.repository.ts';
import { tasksOf } from './today.repository.ts';

const noGoal = { targetMinutes: null, isVisible: false, version: 0 };

/** Learners' goals of today; the day is the learner's own, from day start to day start. */
export function createGoalsService(
  { database, sanctions, rooms, notices }: AppContext & FocusUses,
  focus: FocusService,
) {
  const repository = createGoalsRepository(database);

  async function findGoal(userId: UserId, day: StudyDay): Promise<DatedGoal> {
    const row = await repository.findGoal(userId);
    const { targetMinutes, isVisible, version } = row ?? noGoal;
    return { targetMinutes, isVisible, tasks: tasksOf(row, day), day, version };
  }

  return {
    async find(userId: UserId): Promise<DatedGoal> {
      const { day } = await focus.findToday(userId);
      return findGoal(userId, day);
    },

    /**
     * @throws ApiError `goalDayEnded`, `goalTaskMalformed`, and `textMuted` for tasks that others would see.
     */
    async save(userId: UserId, payload: GoalPayload): Promise<DatedGoal> {
      const { day } = await focus.findToday(userId);
      if (payload.day !== undefined && payload.day !== day) throw new ApiError('goalDayEnded');
      const { targetMinutes, isVisible } = payload;
      const tasks = payload.tasks.map(toTask);
      if (isVisible && tasks.length > 0) sanctions.standing.refuseMuted(userId, 'textMuted');
      const goal = { targetMinutes, tasks, isVisible };
      const { version, change } = await repository.saveGoal(userId, goal, day);
      notices.send(userId, { kind: 'goal', ...goal, day, version });
      if (change) rooms.publish('updated', [change]);
      return { ...goal, day, version };
    },
  };
}

function toTask({ text, isDone }: GoalTask): GoalTask {
  const line = goalTaskText(text);
  if (line === null) throw new ApiError('goalTaskMalformed');
  return { text: line, isDone };
}
