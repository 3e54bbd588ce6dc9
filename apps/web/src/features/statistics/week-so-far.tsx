import type { DatedGoal, Today, UserId } from '@mogakgong/contract';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { ChartLegend } from './chart-legend.tsx';
import { DayBars, isNothing } from './day-bars-panel.tsx';
import { GoalBars } from './goal-bars.tsx';
import { figuresByDay, sumOf, weekOf } from './study-days.ts';
import { useStudyDays } from './use-periods.ts';

interface WeekSoFarProps {
  readonly userId: UserId;
  readonly today: Today;
  readonly weekMinutes: DatedGoal['weekMinutes'];
}

/** This week against its target, and day by day. */
export function WeekSoFar({ userId, today, weekMinutes }: WeekSoFarProps) {
  const known = useStudyDays(userId);
  return (
    <LoadState of={known}>
      {(studyDays) => {
        const figures = weekOf(studyDays.today).map(figuresByDay(studyDays.days));
        return (
          <>
            <GoalBars {...{ today, studyDays }} goal={{ targetMinutes: null, weekMinutes }} />
            {!isNothing(figures) && (
              <>
                <DayBars figures={figures} span="week" today={studyDays.today} />
                <ChartLegend {...sumOf(figures)} />
              </>
            )}
          </>
        );
      }}
    </LoadState>
  );
}
