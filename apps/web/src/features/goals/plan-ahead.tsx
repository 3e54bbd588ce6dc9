import {
  addDays,
  type DatedGoal,
  GOAL_TASKS_MAX,
  goalTaskText,
  isPlanFull,
  isPlannedFor,
  PLANNED_TASKS_MAX,
  type PlannedTask,
  type StudyDay,
} from '@mogakgong/contract';
import { X } from 'lucide-react';
import ArrowRight from 'lucide-react/icons/arrow-right';
import Repeat from 'lucide-react/icons/repeat';
import { useState } from 'react';
import { dayLabel, weekdayName } from '../../shared/i18n/date-format.ts';
import { planTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button, IconButton } from '../../shared/ui/button.tsx';
import { SelectField } from '../../shared/ui/inputs.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { TextField } from '../../shared/ui/text-field.tsx';
import { WeekdayFields } from '../../shared/ui/weekday-fields.tsx';
import type { OwnGoal } from './use-goal.ts';
import { useTaskForm } from './use-task-form.ts';

/** Days after today that are listed even without a task. */
const DAYS_AHEAD = 7;

export interface PlanPartProps extends Pick<OwnGoal, 'change'> {
  readonly goal: DatedGoal;
}

/** Tasks of the coming days, and those that are repeated every week. */
export function PlanAhead({ goal, change }: PlanPartProps) {
  const { t, language } = useTranslation(planTexts);
  const { day: today, plan } = goal;
  const coming = Array.from({ length: DAYS_AHEAD }, (_, index) => addDays(today, index + 1));
  const later = plan.flatMap(({ day }) => (day !== null && !coming.includes(day) ? [day] : []));
  const days = [...coming, ...new Set(later.toSorted())];
  const remove = (task: PlannedTask) => change({ plan: plan.filter((one) => one !== task) });
  const move = (task: PlannedTask, day: StudyDay) =>
    change({ plan: plan.map((one) => (one === task ? { ...one, day } : one)) });
  const isFull = plan.length >= PLANNED_TASKS_MAX;
  return (
    <Panel title={t('ahead.title')} lead={t('ahead.lead')}>
      {isFull ? (
        <p className="text-small">{t('ahead.full', { max: PLANNED_TASKS_MAX })}</p>
      ) : (
        <NewPlanned goal={goal} change={change} />
      )}
      <ol className="grid">
        {days.map((day) => (
          <li
            key={day}
            className="grid gap-x-5 gap-y-1 border-line border-t py-2.5 sm:grid-cols-[9rem_minmax(0,1fr)]"
          >
            <h3 className="pt-1.5 font-semibold text-small">{dayLabel(day, language)}</h3>
            <PlannedTasks day={day} plan={plan} onRemove={remove} onMove={move} />
          </li>
        ))}
      </ol>
      <Repeated plan={plan} onRemove={remove} />
    </Panel>
  );
}

interface PlannedTasksProps {
  readonly day: StudyDay;
  readonly plan: readonly PlannedTask[];
  readonly onRemove: (task: PlannedTask) => void;
  readonly onMove: (task: PlannedTask, day: StudyDay) => void;
}

/** The tasks of one day: those of this day alone can be moved or removed here. */
function PlannedTasks({ day, plan, onRemove, onMove }: PlannedTasksProps) {
  const { t } = useTranslation(planTexts);
  const tasks = plan.filter((task) => isPlannedFor(task, day));
  const weekly = tasks.filter((task) => task.day === null);
  if (tasks.length === 0) return <p className="pt-1.5 text-ink-soft text-small">–</p>;
  return (
    <ul className="grid gap-1">
      {tasks
        .filter((task) => task.day !== null)
        .map((task, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tasks have no other name, and two may be the same
          <li key={index} className="flex min-h-9 items-center gap-x-2 text-small">
            <span className="min-w-0 grow break-words">{task.text}</span>
            {!isPlanFull(plan, addDays(day, 1)) && (
              <IconButton
                icon={ArrowRight}
                size="small"
                label={t('ahead.move', { task: task.text })}
                title={t('ahead.nextDay')}
                onClick={() => onMove(task, addDays(day, 1))}
              />
            )}
            <IconButton
              icon={X}
              size="small"
              label={t('ahead.remove', { task: task.text })}
              onClick={() => onRemove(task)}
            />
          </li>
        ))}
      {weekly.length > 0 && (
        <li className="flex min-h-9 items-center gap-2 text-ink-soft text-small">
          <Repeat size={14} aria-hidden="true" className="shrink-0" />
          <span className="sr-only">{t('ahead.repeated')}: </span>
          <span className="min-w-0 break-words">{weekly.map(({ text }) => text).join(' · ')}</span>
        </li>
      )}
    </ul>
  );
}

/** The tasks that are repeated, each with its weekdays. */
function Repeated({ plan, onRemove }: Pick<PlannedTasksProps, 'plan' | 'onRemove'>) {
  const { t } = useTranslation(planTexts);
  const repeated = plan.filter(({ day }) => day === null);
  if (repeated.length === 0) return null;
  return (
    <div className="grid gap-1">
      <h3 className="font-semibold text-small">{t('ahead.repeated')}</h3>
      <ul className="grid">
        {repeated.map((task, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: tasks have no other name, and two may be the same
            key={index}
            className="flex min-h-11 items-center gap-3 border-line border-t text-small"
          >
            <span className="min-w-0 grow break-words">{task.text}</span>
            <span className="shrink-0 text-ink-soft">
              <WeekdayNames weekdays={task.weekdays} />
            </span>
            <IconButton
              icon={X}
              size="small"
              label={t('ahead.remove', { task: task.text })}
              onClick={() => onRemove(task)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The choice of weekdays instead of one day. */
const WEEKLY = 'weekly';
/** Days that a task can be planned for by name. */
const DAYS_OFFERED = 21;

/** Adds a task for a later day, or for weekdays; on such a weekday also to today. */
function NewPlanned({ goal, change }: PlanPartProps) {
  const { t, language } = useTranslation(planTexts);
  const { day: today, plan, tasks } = goal;
  const [when, setWhen] = useState<StudyDay | typeof WEEKLY>(addDays(today, 1));
  const [weekdays, setWeekdays] = useState<readonly number[]>([]);
  const isWeekly = when === WEEKLY;
  const isTodayFree = tasks.filter(({ fromDay }) => fromDay === undefined).length < GOAL_TASKS_MAX;
  const canAdd = isWeekly ? weekdays.length > 0 : !isPlanFull(plan, when);
  const form = useTaskForm((text) => {
    if (!canAdd) return;
    const task = { text, day: isWeekly ? null : when, weekdays: isWeekly ? [...weekdays] : [] };
    const isToday = isPlannedFor(task, today) && isTodayFree;
    change({
      plan: [...plan, task],
      tasks: isToday ? [...tasks, { text, isDone: false }] : tasks,
    });
  });
  return (
    <form {...form.props} className="grid gap-4">
      <TextField
        {...form.field('task')}
        label={t('ahead.task')}
        placeholder={t('ahead.placeholder')}
        action={
          <Button type="submit" disabled={!canAdd || goalTaskText(form.values.task) === null}>
            {t('ahead.add')}
          </Button>
        }
      />
      <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
        <SelectField
          label={t('ahead.when')}
          value={when}
          hint={!isWeekly && !canAdd ? t('ahead.dayFull', { max: GOAL_TASKS_MAX }) : undefined}
          onChange={({ target }) => setWhen(target.value)}
        >
          {Array.from({ length: DAYS_OFFERED }, (_, index) => addDays(today, index + 1)).map(
            (day, index) => (
              <option key={day} value={day}>
                {index === 0
                  ? t('ahead.tomorrow', { day: dayLabel(day, language) })
                  : dayLabel(day, language)}
              </option>
            ),
          )}
          <option value={WEEKLY}>{t('ahead.weekly')}</option>
        </SelectField>
        {isWeekly && (
          <WeekdayFields
            label={t('weekdays.label')}
            // Those of a task count from 0.
            days={weekdays.map((weekday) => weekday + 1)}
            onChange={(days) => setWeekdays(days.map((day) => day - 1))}
          />
        )}
      </div>
    </form>
  );
}

/** Weekdays as a text. */
function WeekdayNames({ weekdays }: { readonly weekdays: readonly number[] }) {
  const { t, language } = useTranslation(planTexts);
  if (weekdays.length === 7) return t('weekdays.all');
  return weekdays.map((weekday) => weekdayName(weekday, language, 'short')).join(' · ');
}
