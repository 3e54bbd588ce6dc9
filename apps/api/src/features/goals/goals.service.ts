import {
  type DatedGoal,
  type GoalPayload,
  type GoalTask,
  goalTaskText,
  type StudyDay,
  type UserId,
  type VisibleGoal,
} from '@mogakgong/contract';
import { ApiError } from '../../platform/http/index.ts';
import type { ClockChange, FocusService } from '../focus/index.ts';
import type { Notices } from '../realtime/index.ts';
import type { RoomsService } from '../rooms/index.ts';
import type { GoalRow, GoalsRepository, ShownGoal } from './goals.repository.ts';

interface GoalsParts {
  readonly repository: GoalsRepository;
  readonly focus: Pick<FocusService<unknown>, 'findToday'>;
  readonly rooms: RoomsService;
  readonly notices: Notices;
}

/** A learner's day, and what `shownGoal` read beside it. */
type DayWithGoal = Pick<ClockChange<ShownGoal>, 'today' | 'beside'>;

const noGoal = { targetMinutes: null, isVisible: false, version: 0 };

/** What learners set out to do today; the day is theirs, from their day start to the next. */
export function createGoalsService({ repository, focus, rooms, notices }: GoalsParts) {
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
  };
}

export type GoalsService = ReturnType<typeof createGoalsService>;

/** The tasks of another day are none. */
function tasksOf(row: Pick<GoalRow, 'day' | 'tasks'> | undefined, day: StudyDay): GoalTask[] {
  return row?.day === day ? row.tasks : [];
}

function toTask({ text, isDone }: GoalTask): GoalTask {
  const line = goalTaskText(text);
  if (line === null) throw new ApiError('goalTaskMalformed');
  return { text: line, isDone };
}

/** What others see of a goal that was read with its learner's day; undefined where none is shown. */
export function visibleGoalOf({ beside: row, today }: DayWithGoal): VisibleGoal | undefined {
  if (row === null) return undefined;
  const { day, focusMs, runningSinceMs, dayEndsAtMs } = today;
  const { targetMinutes } = row;
  const tasks = tasksOf(row, day);
  const isEmpty = targetMinutes === null && tasks.length === 0;
  return isEmpty ? undefined : { targetMinutes, tasks, focusMs, runningSinceMs, dayEndsAtMs };
}
