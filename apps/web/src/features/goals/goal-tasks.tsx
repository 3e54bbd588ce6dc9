import {
  GOAL_TASK_MAX_LENGTH,
  GOAL_TASKS_MAX,
  type GoalTask,
  goalTaskText,
} from '@mogakgong/contract';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { useForm } from '../../shared/form/use-form.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button, IconButton } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';

interface GoalTasksProps {
  readonly tasks: readonly GoalTask[];
  readonly onChange: (tasks: readonly GoalTask[]) => void;
}

/** Up to five short tasks of today. */
export function GoalTasks({ tasks, onChange }: GoalTasksProps) {
  const { t } = useTranslation(roomTexts);
  const inputRef = useRef<HTMLInputElement>(null);
  const remove = (index: number) => {
    onChange(tasks.filter((_, at) => at !== index));
    inputRef.current?.focus();
  };
  const isFull = tasks.length >= GOAL_TASKS_MAX;
  return (
    <div className="grid gap-2">
      <h4 className="font-semibold text-caption">{t('goal.tasks')}</h4>
      {tasks.length > 0 && (
        <ul className="grid gap-0.5">
          {tasks.map((task, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: tasks have no other name, and two may be the same
            <li key={index} className="flex items-center justify-between gap-2.5">
              <TaskTick task={task} onTick={(isDone) => onChange(ticked(tasks, index, isDone))} />
              <IconButton
                icon={X}
                size="small"
                label={t('goal.remove', { task: task.text })}
                onClick={() => remove(index)}
              />
            </li>
          ))}
        </ul>
      )}
      <NewTask
        inputRef={inputRef}
        isFull={isFull}
        onAdd={(added) => onChange([...tasks, { text: added, isDone: false }])}
      />
    </div>
  );
}

/** The tasks with one of them marked done or not done. */
export function ticked(tasks: readonly GoalTask[], index: number, isDone: boolean): GoalTask[] {
  return tasks.map((task, at) => (at === index ? { ...task, isDone } : task));
}

interface TaskTickProps {
  readonly task: GoalTask;
  readonly onTick: (isDone: boolean) => void;
}

/** The checkbox of one task. */
export function TaskTick({ task, onTick }: TaskTickProps) {
  return (
    <Checkbox
      label={
        <span className={task.isDone ? 'text-ink-soft line-through' : undefined}>{task.text}</span>
      }
      checked={task.isDone}
      onChange={(event) => onTick(event.target.checked)}
    />
  );
}

interface NewTaskProps {
  readonly inputRef: React.Ref<HTMLInputElement>;
  readonly isFull: boolean;
  readonly onAdd: (text: string) => void;
}

function NewTask({ inputRef, isFull, onAdd }: NewTaskProps) {
  const { t } = useTranslation(roomTexts);
  const form = useForm({
    initial: { task: '' },
    mode: 'type',
    check: ({ task }) => ({
      task:
        task.trim() !== '' && goalTaskText(task) === null
          ? t('goal.tooLong', { max: GOAL_TASK_MAX_LENGTH })
          : undefined,
    }),
    send: ({ task: typed }) => {
      const added = goalTaskText(typed);
      if (added === null || isFull) return;
      onAdd(added);
      form.change({ task: '' });
    },
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
