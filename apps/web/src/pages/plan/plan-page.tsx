import {
  type DatedGoal,
  type Today,
  type UserId,
  WEEK_TARGET_MAX_MINUTES,
} from '@mogakgong/contract';
import { Suspense } from 'react';
import { useOwnUserId } from '../../features/auth/own-user-id.ts';
import { ExamDays } from '../../features/goals/exam-days.tsx';
import { GoalSection } from '../../features/goals/goal-section.tsx';
import { PlanAhead } from '../../features/goals/plan-ahead.tsx';
import { TargetField } from '../../features/goals/target-field.tsx';
import { type OwnGoal, useGoal } from '../../features/goals/use-goal.ts';
import { WeekSoFar } from '../../features/statistics/week-so-far.tsx';
import { planTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useToday } from '../../shared/today/today.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { Panel } from '../../shared/ui/panel.tsx';

const HOUR_MINUTES = 60;
/** The weekly targets on offer, in minutes. */
const WEEK_TARGETS = [5, 7, 10, 14, 15, 20, 21, 25, 28, 30, 35, 40, 45, 50, 56, 60, 70, 80]
  .map((hours) => hours * HOUR_MINUTES)
  .filter((minutes) => minutes <= WEEK_TARGET_MAX_MINUTES);

/** The learner's plan: today, the coming days, exams, and the week. */
export function PlanPage() {
  const { t } = useTranslation(planTexts);
  const userId = useOwnUserId();
  usePageTitle(t('plan.title'));
  return (
    <div className="mx-auto grid min-h-dvh w-full max-w-[72rem] content-start grid-cols-[minmax(0,1fr)] gap-5 px-4 py-8 sm:px-6 sm:py-12">
      <header className="grid gap-2 pb-1">
        <h1 className="font-extrabold text-heading">{t('plan.title')}</h1>
        <p className="text-ink-soft text-small">{t('plan.lead')}</p>
      </header>
      {userId !== null && <PlanOf key={userId} userId={userId} />}
    </div>
  );
}

function PlanOf({ userId }: { readonly userId: UserId }) {
  const { t } = useTranslation(planTexts);
  // Today's goal is known once today is.
  const today = useToday(userId);
  const own = useGoal(userId);
  return (
    <LoadState of={today}>
      {(known) => (
        <LoadState of={own}>
          {(goal) => (
            <div className="grid items-start gap-5 lg:grid-cols-2">
              <div className="grid min-w-0 gap-5">
                <Panel title={t('plan.today')}>
                  <GoalSection userId={userId} own={own} isNamed />
                </Panel>
                <WeekTarget userId={userId} today={known} goal={goal} change={own.change} />
              </div>
              <div className="grid min-w-0 gap-5">
                <ExamDays goal={goal} change={own.change} />
                <PlanAhead goal={goal} change={own.change} />
              </div>
            </div>
          )}
        </LoadState>
      )}
    </LoadState>
  );
}

interface WeekTargetProps extends Pick<OwnGoal, 'change'> {
  readonly userId: UserId;
  readonly today: Today;
  readonly goal: DatedGoal;
}

/** The target of the week and how much of it is reached. */
function WeekTarget({ userId, today, goal: { weekMinutes }, change }: WeekTargetProps) {
  const { t } = useTranslation(planTexts);
  return (
    <Panel title={t('week.title')} lead={t('week.lead')}>
      <TargetField
        label={t('week.target')}
        offered={WEEK_TARGETS}
        value={weekMinutes}
        onChange={(minutes) => change({ weekMinutes: minutes })}
      />
      <Suspense>
        <WeekSoFar userId={userId} today={today} weekMinutes={weekMinutes} />
      </Suspense>
    </Panel>
  );
}
