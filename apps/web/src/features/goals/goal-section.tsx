import type { DatedGoal, UserId } from '@mogakgong/contract';
import { MINUTE_MS } from '@mogakgong/contract';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { planTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { useTodaySeconds } from '../../shared/today/today.ts';
import { Checkbox } from '../../shared/ui/checkbox.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { GoalRing } from './goal-ring.tsx';
import { GoalTasks } from './goal-tasks.tsx';
import { TargetField } from './target-field.tsx';
import type { OwnGoal } from './use-goal.ts';

/** The goals on offer, in minutes: finer for short days. */
const TARGETS = [30, 60, 90, 120, 150, 180, 240, 300, 360, 420, 480, 540, 600, 720, 840];

interface GoalSectionProps {
  readonly userId: UserId;
  readonly own: OwnGoal;
  /** The heading stands above it. */
  readonly isNamed?: boolean;
}

/** Today's goal: focus time, tasks, and whether the room sees it. Private by default. */
export function GoalSection({ userId, own, isNamed = false }: GoalSectionProps) {
  const { t } = useTranslation(planTexts);
  return (
    <section aria-label={t('goal.title')} className="grid gap-4">
      <h3 className={isNamed ? 'sr-only' : 'font-bold text-small'}>{t('goal.title')}</h3>
      <LoadState of={own}>
        {(goal) => <GoalFields userId={userId} goal={goal} change={own.change} />}
      </LoadState>
    </section>
  );
}

interface GoalFieldsProps extends Pick<OwnGoal, 'change'> {
  readonly userId: UserId;
  readonly goal: DatedGoal;
}

function GoalFields({ userId, goal, change }: GoalFieldsProps) {
  const { t } = useTranslation(planTexts);
  const { targetMinutes, isVisible } = goal;
  return (
    <>
      {targetMinutes !== null && <Progress userId={userId} targetMinutes={targetMinutes} />}
      <TargetField
        label={t('goal.target')}
        offered={TARGETS}
        value={targetMinutes}
        onChange={(minutes) => change({ targetMinutes: minutes })}
      />
      <GoalTasks goal={goal} change={change} />
      <div>
        <Checkbox
          label={t('goal.visible')}
          checked={isVisible}
          onChange={(event) => change({ isVisible: event.target.checked })}
        />
        <p className="pl-8 text-caption text-ink-soft">
          {t(isVisible ? 'goal.shown' : 'goal.private')}
        </p>
      </div>
    </>
  );
}

interface ProgressProps {
  readonly userId: UserId;
  readonly targetMinutes: number;
}

function Progress({ userId, targetMinutes }: ProgressProps) {
  const { t } = useTranslation(planTexts);
  const todaySeconds = useTodaySeconds(userId) ?? 0;
  const isReached = todaySeconds >= targetMinutes * 60;
  return (
    <div className="flex items-center gap-4">
      <GoalRing targetMinutes={targetMinutes} focusMs={todaySeconds * 1_000} size={72} isNumbered />
      <p className="text-small">
        <span className="block font-bold text-body">{durationText(t, todaySeconds * 1_000)}</span>
        <span className="text-ink-soft">
          {isReached ? t('goal.reached') : `/ ${durationText(t, targetMinutes * MINUTE_MS)}`}
        </span>
      </p>
    </div>
  );
}
