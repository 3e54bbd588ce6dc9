import {
  addDays,
  type DatedGoal,
  daysUntil,
  GOAL_TASKS_MAX,
  type GoalTask,
  goalTaskText,
  isPlanFull,
  PLANNED_TASKS_MAX,
  type StudyDay,
} from '@mogakgong/contract';
import { X } from 'lucide-react';
import ArrowRight from 'lucide-react/icons/arrow-right';
import { useRef } from 'react';
import { planTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button, IconButton } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { TaskTick, ticked } from './task-tick.tsx';
import type { OwnGoal } from './use-goal.ts';
import { useTaskForm } from './use-task-form.ts';

interface GoalTasksProps extends Pick<OwnGoal, 'change'> {
  readonly goal: DatedGoal;
}

/** Up to five short tasks of today, and before them the unfinished ones of earlier days. */
export function GoalTasks({ goal, change }: GoalTasksProps) {
  const { t } = useTranslation(planTexts);
  const { tasks, plan, day } = goal;
  const inputRef = useRef<HTMLInputElement>(null);
  const without = (index: number) => tasks.filter((_, at) => at !== index);
  const changeAndStay = (changed: Parameters<OwnGoal['change']>[0]) => {
    change(changed);
    inputRef.current?.focus();
  };
  const tomorrow = addDays(day, 1);
  const putOff = (task: GoalTask, index: number) =>
    changeAndStay({
      tasks: without(index),
      plan: [...plan, { text: task.text, day: tomorrow, weekdays: [] }],
    });
  const canPutOff = plan.length < PLANNED_TASKS_MAX && !isPlanFull(plan, tomorrow);
  const isFull = tasks.filter(({ fromDay }) => fromDay === undefined).length >= GOAL_TASKS_MAX;
  return (
    <div className="grid gap-2">
      <h4 className="font-semibold text-small">{t('goal.tasks')}</h4>
      {tasks.length > 0 && (
        <ul className="grid gap-0.5">
          {tasks.map((task, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: tasks have no other name, and two may be the same
            <li key={index} className="flex items-start gap-1">
              <div className="min-w-0 grow lg:pt-1">
                <TaskTick
                  task={task}
                  onTick={(isDone) => change({ tasks: ticked(tasks, index, isDone) })}
                />
                {task.fromDay !== undefined && <CarriedMark from={task.fromDay} today={day} />}
              </div>
              {!task.isDone && canPutOff && (
                <IconButton
                  icon={ArrowRight}
                  size="small"
                  label={t('goal.putOff', { task: task.text })}
                  title={t('goal.tomorrow')}
                  onClick={() => putOff(task, index)}
                />
              )}
              <IconButton
                icon={X}
                size="small"
                label={t('goal.remove', { task: task.text })}
                onClick={() => changeAndStay({ tasks: without(index) })}
              />
            </li>
          ))}
        </ul>
      )}
      <NewTask
        inputRef={inputRef}
        isFull={isFull}
        onAdd={(added) => change({ tasks: [...tasks, { text: added, isDone: false }] })}
      />
    </div>
  );
}

interface CarriedMarkProps {
  readonly from: StudyDay;
  readonly today: StudyDay;
}

/** Under a task of an earlier day: since when it waits. */
function CarriedMark({ from, today }: CarriedMarkProps) {
  const { t } = useTranslation(planTexts);
  const count = daysUntil(from, today);
  return (
    <p className="pb-1 pl-8 text-caption text-ink-soft">
      {count === 1 ? t('goal.carriedYesterday') : t('goal.carried', { count })}
    </p>
  );
}

interface NewTaskProps {
  readonly inputRef: React.Ref<HTMLInputElement>;
  readonly isFull: boolean;
  readonly onAdd: (text: string) => void;
}

function NewTask({ inputRef, isFull, onAdd }: NewTaskProps) {
  const { t } = useTranslation(planTexts);
  const form = useTaskForm((added) => {
    if (!isFull) onAdd(added);
  });
  return (
    <form {...form.props}>
      <TextField
        {...form.field('task')}
        ref={inputRef}
        label={t('goal.addLabel')}
        readOnly={isFull}
        placeholder={isFull ? '' : t('goal.addPlaceholder')}
        hint={isFull ? t('goal.full') : undefined}
        action={
          <Button type="submit" disabled={isFull || goalTaskText(form.values.task) === null}>
            {t('goal.add')}
          </Button>
        }
      />
    </form>
  );
}
