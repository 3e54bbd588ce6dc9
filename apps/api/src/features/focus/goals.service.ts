import {
  type DatedGoal,
  type ExamDay,
  examName,
  GOAL_TASKS_MAX,
  type GoalPayload,
  goalTaskText,
  isDate,
  type PlannedTask,
  type StudyDay,
  type UserId,
} from '@mogakgong/contract';
import { ApiError } from '../../platform/http/index.ts';
import type { AppContext } from '../sanctions/index.ts';
import { mostPlanned, planAfter, tasksOf } from './day-tasks.ts';
import type { FocusService, FocusUses } from './focus.service.ts';
import { createGoalsRepository } from './goals.repository.ts';

const noGoal = {
  ...{ targetMinutes: null, isVisible: false, version: 0 },
  ...{ weekMinutes: null, plan: [], exams: [] },
};

/** Learners' goals of today, and their plans; the day is the learner's own, from day start to day start. */
export function createGoalsService(
  { database, rooms, notices }: AppContext & FocusUses,
  focus: FocusService,
) {
  const repository = createGoalsRepository(database);

  return {
    async find(userId: UserId): Promise<DatedGoal> {
      const { day } = await focus.findToday(userId);
      const row = await repository.findGoal(userId);
      const { plan, ...goal } = row ?? noGoal;
      return { ...goal, tasks: [...tasksOf(row, day)], plan: [...planAfter(plan, day)], day };
    },

    /** @throws ApiError `goalDayEnded`, `goalTaskMalformed`, `goalDayFull`, `examMalformed`. */
    async save(userId: UserId, payload: GoalPayload): Promise<DatedGoal> {
      const { day } = await focus.findToday(userId);
      if (payload.day !== undefined && payload.day !== day) throw new ApiError('goalDayEnded');
      const { targetMinutes, isVisible, weekMinutes } = payload;
      const tasks = payload.tasks.map(withLine);
      assertFits(tasks.filter(({ fromDay }) => fromDay === undefined).length);
      const plan = payload.plan && toPlan(payload.plan, day);
      const exams = payload.exams?.map(toExam);
      const goal = { targetMinutes, tasks, isVisible, day };
      const saving = { ...goal, weekMinutes, plan, exams };
      const { change, ...saved } = await repository.saveGoal(userId, saving);
      const stored = { ...goal, ...saved, plan: [...planAfter(saved.plan, day)] };
      notices.send(userId, { kind: 'goal', ...stored });
      if (change) rooms.publish('updated', [change]);
      return stored;
    },
  };
}

function assertFits(tasksOfDay: number): void {
  if (tasksOfDay > GOAL_TASKS_MAX) throw new ApiError('goalDayFull');
}

/** The same task with its text as it is stored. */
function withLine<Task extends { readonly text: string }>(task: Task): Task {
  const text = goalTaskText(task.text);
  if (text === null) throw new ApiError('goalTaskMalformed');
  return { ...task, text };
}

/** The part of a goal that is about later days; the tasks of today are stored beside it. */
function toPlan(planned: readonly PlannedTask[], today: StudyDay): PlannedTask[] {
  const plan = planned.map(withLine).map(({ text, day, weekdays }) => {
    const isOnce = day !== null && isDate(day) && weekdays.length === 0;
    const isRepeated = day === null && weekdays.length > 0;
    if (!isOnce && !isRepeated) throw new ApiError('goalTaskMalformed');
    return { text, day, weekdays: [...new Set(weekdays)].toSorted() };
  });
  const later = [...planAfter(plan, today)];
  assertFits(mostPlanned(later));
  return later;
}

function toExam({ name, day }: ExamDay): ExamDay {
  const line = examName(name);
  if (line === null || !isDate(day)) throw new ApiError('examMalformed');
  return { name: line, day };
}
