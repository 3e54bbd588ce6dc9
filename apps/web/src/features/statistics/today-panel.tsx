import {
  addDays,
  type DatedGoal,
  HOUR_MS,
  type StudyDays,
  type Today,
  todayMs,
} from '@mogakgong/contract';
import type { ReactNode } from 'react';
import type { Loaded } from '../../shared/api/index.ts';
import { useSecond } from '../../shared/clock/index.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { paths } from '../../shared/lib/paths.ts';
import { LinkButton } from '../../shared/ui/button.tsx';
import { Lamp } from '../../shared/ui/lamp.tsx';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { chartLines } from './durations.ts';
import { GoalBars } from './goal-bars.tsx';

import { StatusBar } from './status-bar.tsx';
import { figuresByDay } from './study-days.ts';
import { TodayClock } from './today-clock.tsx';

interface TodayPanelProps {
  readonly today: Loaded<Today>;
  readonly studyDays: StudyDays | null;
  /** Null until it is known. */
  readonly goal: DatedGoal | null;
  /** Beside the title. */
  readonly actions?: ReactNode;
}

/** Today's focus, large; the lamp is lit while it advances. */
export function TodayPanel({ today, studyDays, goal, actions }: TodayPanelProps) {
  const { t } = useTranslation(statisticsTexts);
  return (
    <Panel title={t('today.title')} actions={actions}>
      <LoadState of={today}>
        {(value) => <TodayFigure today={value} studyDays={studyDays} goal={goal} />}
      </LoadState>
    </Panel>
  );
}

function TodayFigure({
  today,
  studyDays,
  goal,
}: { readonly today: Today } & Omit<TodayPanelProps, 'today' | 'actions'>) {
  const { t } = useTranslation(statisticsTexts);
  const isRunning = today.runningSinceMs !== null;
  const yesterdayMs = figuresByDay(studyDays?.days ?? [])(addDays(today.day, -1)).focusMs;
  const hasFocused = useSecond((nowMs) => todayMs(today, nowMs) > 0);
  if (!hasFocused) {
    return (
      <div className="flex flex-wrap content-center items-center gap-4">
        <Lamp light="off" size={64} />
        <div className="grid gap-1">
          <p className="font-bold text-title">{t('today.empty')}</p>
          <p className="text-ink-soft text-small">{t('today.emptyHelp')}</p>
        </div>
        <LinkButton href={paths.main} variant="primary" size="small">
          {t('today.start')}
        </LinkButton>
      </div>
    );
  }
  return (
    <div className="grid content-center gap-5">
      <div className="flex items-center gap-5">
        <Lamp light={isRunning ? 'burning' : 'low'} size={72} />
        <div className="grid gap-1">
          <p className="font-extrabold text-heading leading-none">
            <TodayClock today={today} />
          </p>
          <p className="text-ink-soft text-small">
            {t(isRunning ? 'today.running' : 'today.still')}
            {yesterdayMs > 0 && (
              <>
                {' · '}
                <span className="inline-block">
                  {t('today.yesterday', { focus: durationText(t, yesterdayMs) })}
                </span>
              </>
            )}
          </p>
        </div>
      </div>
      {goal && (goal.targetMinutes ?? goal.weekMinutes) !== null ? (
        <GoalBars {...{ today, studyDays, goal }} />
      ) : (
        <TodayBar today={today} />
      )}
    </div>
  );
}

/** Without a goal the bar is an hour long at least: seconds fill no bar. */
const SHORTEST_SCALE_MS = HOUR_MS;

/** Today's focus as a bar on a scale that fits it; the clock above it shows the same. */
function TodayBar({ today }: { readonly today: Today }) {
  const { t } = useTranslation();
  const focusMs = useSecond((nowMs) => todayMs(today, nowMs));
  const lines = chartLines(Math.max(SHORTEST_SCALE_MS, focusMs));
  return (
    <div aria-hidden="true" className="grid gap-1.5">
      <StatusBar
        parts={[{ status: 'focus', from: 0, to: focusMs }]}
        from={0}
        to={lines.at(-1) ?? focusMs}
      />
      <div className="flex justify-between text-ink-soft text-label tabular-nums">
        {lines.map((ms) => (
          <span key={ms}>{ms === 0 ? '0' : durationText(t, ms)}</span>
        ))}
      </div>
    </div>
  );
}
