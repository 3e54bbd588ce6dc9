import {
  type DatedGoal,
  type GoalPayload,
  type GoalTask,
  goalTaskText,
  type StudyDay,
  type Today,
  type UserId,
  type VisibleGoal,
} from '@mogakgong/contract';
import { ApiError } from '../../platform/http/index.ts';
import type { FocusService } from '../focus/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import type { GoalRow, GoalsRepository } from './goals.repository.ts';

interface GoalsParts {
  readonly repository: GoalsRepository;
  readonly focus: FocusService;
  readonly rooms: RoomsService;
  readonly notices: Notices;
}

const noGoal = { targetMinutes: null, isVisible: false, version: 0 };

/** What learners set out to do today; the day is theirs, from their day start to the next. */
export function createGoalsService({ repository, focus, rooms, notices }: GoalsParts) {
  async function findGoal(userId: UserId, day: StudyDay): Promise<DatedGoal> {
    const [row] = await repository.findGoals([userId]);
    const { targetMinutes, isVisible, version } = row ?? noGoal;
    return { targetMinutes, isVisible, tasks: tasksOf(row, day), day, version };
  }

  return {
    async find(userId: UserId): Promise<DatedGoal> {
      const { day } = await focus.findToday(userId);
      return findGoal(userId, day);
    },

    /** @throws ApiError `goalDayEnded`, `goalTaskMalformed`. */
    async save(userId: UserId, payload: GoalPayload): Promise<DatedGoal> {
      const { day } = await focus.findToday(userId);
      if (payload.day !== undefined && payload.day !== day) throw new ApiError('goalDayEnded');
      const { targetMinutes, isVisible } = payload;
      const tasks = payload.tasks.map(toTask);
      const goal = { targetMinutes, tasks, isVisible };
      const { version, change } = await repository.saveGoal(userId, goal, day);
      notices.tell(userId, { kind: 'goal', ...goal, day, version });
      if (change) rooms.tellUpdated(change);
      return { ...goal, day, version };
    },

    /** The goals that these learners show, with what they have done of them. */
    async findVisible(userIds: readonly UserId[]): Promise<ReadonlyMap<UserId, VisibleGoal>> {
      const rows = await repository.findVisibleGoals(userIds);
      const found = await Promise.all(
        rows.map(async (row) => {
          const goal = visibleGoal(row, await focus.findToday(row.userId));
          return [row.userId, goal] as const;
        }),
      );
      return new Map(
        found.filter(([, { targetMinutes, tasks }]) => targetMinutes !== null || tasks.length > 0),
      );
    },
  };
}

export type GoalsService = ReturnType<typeof createGoalsService>;

/** The tasks of another day are none. */
function tasksOf(row: GoalRow | undefined, day: StudyDay): GoalTask[] {
  return row?.day === day ? row.tasks : [];
}

function toTask({ text, isDone }: GoalTask): GoalTask {
  const line = goalTaskText(text);
  if (line === null) throw new ApiError('goalTaskMalformed');
  return { text: line, isDone };
}

function visibleGoal(row: GoalRow, today: Today): VisibleGoal {
  const { day, focusMs, runningSinceMs, dayEndsAtMs } = today;
  const { targetMinutes } = row;
  return { targetMinutes, tasks: tasksOf(row, day), focusMs, runningSinceMs, dayEndsAtMs };
}
