import {
  GOAL_TASK_MAX_LENGTH,
  GOAL_TASKS_MAX,
  type GoalTask,
  goalTaskText,
} from '@mogakgong/contract';
import { X } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { focusTexts } from '../../shared/i18n/focus-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button, IconButton } from '../../shared/ui/button.tsx';
import { Input } from '../../shared/ui/inputs.tsx';

interface GoalTasksProps {
  readonly tasks: readonly GoalTask[];
  readonly onChange: (tasks: readonly GoalTask[]) => void;
}

/** Up to five short tasks of today. */
export function GoalTasks({ tasks, onChange }: GoalTasksProps) {
  const { t } = useTranslation(focusTexts);
  const inputRef = useRef<HTMLInputElement>(null);
  const replace = (index: number, isDone: boolean) =>
    onChange(tasks.map((task, at) => (at === index ? { ...task, isDone } : task)));
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
            <Task
              // biome-ignore lint/suspicious/noArrayIndexKey: tasks have no other name, and two may be the same
              key={index}
              task={task}
              onDone={(isDone) => replace(index, isDone)}
              onRemove={() => remove(index)}
            />
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

interface TaskProps {
  readonly task: GoalTask;
  readonly onDone: (isDone: boolean) => void;
  readonly onRemove: () => void;
}

function Task({ task, onDone, onRemove }: TaskProps) {
  const { t } = useTranslation(focusTexts);
  const id = useId();
  return (
    <li className="flex items-center gap-2.5">
      <input
        id={id}
        type="checkbox"
        checked={task.isDone}
        className="size-5 shrink-0 cursor-pointer accent-primary"
        onChange={(event) => onDone(event.target.checked)}
      />
      <label
        htmlFor={id}
        className={`min-w-0 flex-1 cursor-pointer py-1 text-small ${task.isDone ? 'text-ink-soft line-through' : ''}`}
      >
        {task.text}
      </label>
      <IconButton
        icon={X}
        size="small"
        label={t('goal.remove', { task: task.text })}
        onClick={onRemove}
      />
    </li>
  );
}

interface NewTaskProps {
  readonly inputRef: React.Ref<HTMLInputElement>;
  readonly isFull: boolean;
  readonly onAdd: (text: string) => void;
}

function NewTask({ inputRef, isFull, onAdd }: NewTaskProps) {
  const { t } = useTranslation(focusTexts);
  const hintId = useId();
  const [typed, setTyped] = useState('');
  const task = goalTaskText(typed);
  const isTooLong = task === null && typed.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (task === null || isFull) return;
    onAdd(task);
    setTyped('');
  };
  const hint = isFull
    ? t('goal.full')
    : isTooLong
      ? t('goal.tooLong', { max: GOAL_TASK_MAX_LENGTH })
      : '';
  return (
    <form onSubmit={submit}>
      <div className="flex gap-2">
        <Input
          ref={inputRef}
          value={typed}
          readOnly={isFull}
          aria-label={t('goal.addLabel')}
          aria-describedby={hint ? hintId : undefined}
          aria-invalid={isTooLong || undefined}
          placeholder={isFull ? '' : t('goal.addPlaceholder')}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" disabled={isFull || task === null}>
          {t('goal.add')}
        </Button>
      </div>
      <p id={hintId} aria-live="polite" className="mt-1 text-caption text-ink-soft empty:sr-only">
        {hint}
      </p>
    </form>
  );
}
