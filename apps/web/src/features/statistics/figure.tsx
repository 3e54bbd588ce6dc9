import type { Statistics } from '@mogakgong/contract';
import type { ReactNode } from 'react';
import { durationText } from '../../shared/i18n/duration-text.ts';
import type { StudyText } from '../../shared/i18n/namespaces.ts';
import { classNames } from '../../shared/ui/class-names.ts';

interface FigureProps {
  readonly name: string;
  readonly value: ReactNode;
  /** A placeholder for a figure that was not loaded. */
  readonly isUnknown?: boolean;
}

/** One figure and its name, in a description list. */
export function Figure({ name, value, isUnknown = false }: FigureProps) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-ink-soft text-small">{name}</dt>
      <dd
        className={classNames(
          'font-bold text-title tabular-nums max-sm:text-lead',
          isUnknown && 'text-ink-soft line-through decoration-1',
        )}
      >
        {value}
      </dd>
    </div>
  );
}

export type Totals = Pick<
  Statistics,
  'totalStudyTime' | 'totalAttendanceDays' | 'continueAttendanceDays'
>;

const MINUTE_SECONDS = 60;

/** Totals as text, each by its key in `totals.`; the time in hours and minutes alone (specification §9). */
export function totalTexts(t: StudyText, totals: Totals) {
  const wholeMinutes = Math.floor(totals.totalStudyTime / MINUTE_SECONDS);
  return {
    focus: durationText(t, wholeMinutes * MINUTE_SECONDS * 1_000),
    average: durationText(
      t,
      (totals.totalStudyTime * 1_000) / Math.max(1, totals.totalAttendanceDays),
    ),
    attendance: t('days.count', { count: totals.totalAttendanceDays }),
    streak: t('days.count', { count: totals.continueAttendanceDays }),
  };
}
