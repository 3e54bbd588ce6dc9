import type { GoalTask, UserId } from '@mogakgong/contract';
import { focusTexts } from '../../shared/i18n/focus-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useTodaySeconds } from '../../shared/today/index.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { GoalRing, targetText } from './goal-ring.tsx';
import { GoalTasks } from './goal-tasks.tsx';
import { TargetField } from './target-field.tsx';
import type { OwnGoal } from './use-goal.ts';

interface GoalSectionProps {
  readonly userId: UserId;
  readonly own: OwnGoal;
}

/** Today's goal: how long to focus, what to do, and whether the room sees it. Private by default. */
export function GoalSection({ userId, own }: GoalSectionProps) {
  const { t } = useTranslation(focusTexts);
  const { goal, hasFailed, change, reload } = own;
  return (
    <section aria-label={t('goal.title')} className="grid gap-4">
      <h3 className="font-bold text-small">{t('goal.title')}</h3>
      {goal === null && !hasFailed && (
        <p className="text-caption text-ink-soft">{t('goal.loading')}</p>
      )}
      {goal === null && hasFailed && (
        <div role="alert" className="grid justify-items-start gap-3">
          <p className="text-danger text-small">{t('goal.loadFailed')}</p>
          <Button size="small" onClick={reload}>
            {t('common.retry')}
          </Button>
        </div>
      )}
      {goal !== null && (
        <>
          {goal.targetMinutes !== null && (
            <Progress userId={userId} targetMinutes={goal.targetMinutes} />
          )}
          <TargetField
            targetMinutes={goal.targetMinutes}
            onChange={(targetMinutes) => change({ targetMinutes })}
          />
          <GoalTasks
            tasks={goal.tasks}
            onChange={(tasks: readonly GoalTask[]) => change({ tasks: [...tasks] })}
          />
          <div>
            <Checkbox
              label={t('goal.visible')}
              checked={goal.isVisible}
              onChange={(event) => change({ isVisible: event.target.checked })}
            />
            <p className="pl-8 text-caption text-ink-soft">
              {t(goal.isVisible ? 'goal.shown' : 'goal.private')}
            </p>
          </div>
        </>
      )}
    </section>
  );
}

interface ProgressProps {
  readonly userId: UserId;
  readonly targetMinutes: number;
}

function Progress({ userId, targetMinutes }: ProgressProps) {
  const { t } = useTranslation(focusTexts);
  const todaySeconds = useTodaySeconds(userId) ?? 0;
  const isReached = todaySeconds >= targetMinutes * 60;
  const todayMinutes = Math.floor(todaySeconds / 60);
  return (
    <div className="flex items-center gap-4">
      <GoalRing targetMinutes={targetMinutes} focusMs={todaySeconds * 1_000} size={72} isNumbered />
      <p className="text-small">
        <span className="block font-bold text-body">{targetText(t, todayMinutes)}</span>
        <span className="text-ink-soft">
          {isReached ? t('goal.reached') : `/ ${targetText(t, targetMinutes)}`}
        </span>
      </p>
    </div>
  );
}
