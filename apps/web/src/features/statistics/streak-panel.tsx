import {
  ATTENDANCE_MIN_MS,
  addDays,
  DEFAULT_TIME_ZONE,
  type FocusSettings,
  type Statistics,
  type StudyDays,
} from '@mogakgong/contract';
import { Link } from 'wouter';
import type { Loaded } from '../../shared/api/index.ts';
import { timeOfDayText } from '../../shared/clock/index.ts';
import { dayLabel } from '../../shared/i18n/date-format.ts';
import { richText } from '../../shared/i18n/format.tsx';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { settingsPath } from '../../shared/lib/paths.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';

import { statusFills } from './status-bar.tsx';
import { daysFrom, figuresByDay } from './study-days.ts';

/** Days in the row of lamps. */
const SHOWN_DAYS = 14;

interface StreakPanelProps {
  readonly statistics: Loaded<Statistics>;
  readonly studyDays: StudyDays | null;
  readonly settings: FocusSettings | null;
}

/** Days in a row and the last two weeks lamp by lamp, once there is a day; the rule in plain words. */
export function StreakPanel({ statistics, studyDays, settings }: StreakPanelProps) {
  const { t } = useTranslation(statisticsTexts);
  return (
    <Panel title={t('streak.title')}>
      <LoadState of={statistics}>
        {({ totalAttendanceDays, continueAttendanceDays, longestAttendanceDays }) =>
          totalAttendanceDays > 0 && (
            <p className="flex flex-wrap items-baseline gap-x-3">
              <span className="font-extrabold text-heading leading-none tabular-nums">
                {t('days.count', { count: continueAttendanceDays })}
              </span>
              {longestAttendanceDays > 0 && (
                <span className="text-ink-soft text-small">
                  {t('streak.longest', { days: t('days.count', { count: longestAttendanceDays }) })}
                </span>
              )}
            </p>
          )
        }
      </LoadState>
      {studyDays && statistics.value?.totalAttendanceDays !== 0 && (
        <LastDays studyDays={studyDays} />
      )}
      <div className="grid gap-1.5 rounded-medium bg-raised p-4 text-small">
        <h3 className="font-semibold">{t('streak.ruleTitle')}</h3>
        <ul className="grid list-disc gap-1 pl-5 text-ink-soft">
          <li>{t('streak.ruleMinute', { minutes: ATTENDANCE_MIN_MS / 60_000 })}</li>
          <li>{t('streak.ruleToday')}</li>
          <li>
            {richText(
              t('streak.ruleDay', {
                start: timeOfDayText(settings?.dayStartMinutes ?? 0),
                zone: settings?.timeZone ?? DEFAULT_TIME_ZONE,
              }),
              {
                link: (inside) => (
                  <Link href={settingsPath('study')} className="underline hover:text-ink">
                    {inside}
                  </Link>
                ),
              },
            )}
          </li>
        </ul>
      </div>
    </Panel>
  );
}

/** The last days, since the learner signed up. */
function LastDays({
  studyDays: { today, firstDay = '', days },
}: {
  readonly studyDays: StudyDays;
}) {
  const { t, language } = useTranslation(statisticsTexts);
  const lookUp = figuresByDay(days);
  const shown = daysFrom(addDays(today, 1 - SHOWN_DAYS), SHOWN_DAYS).filter(
    (day) => day >= firstDay || lookUp(day).focusMs > 0,
  );
  return (
    <ol
      aria-label={t('streak.lastDays', { count: shown.length })}
      className="grid grid-cols-[repeat(14,minmax(0,1fr))] gap-1"
    >
      {shown.map((day) => {
        const isAttended = lookUp(day).focusMs >= ATTENDANCE_MIN_MS;
        return (
          <li key={day} className="grid justify-items-center gap-1" title={dayLabel(day, language)}>
            <span
              className={classNames(
                'aspect-square w-full max-w-4.5 rounded-full border',
                isAttended ? statusFills.focus : 'border-line-strong border-dashed bg-raised',
              )}
            />
            <span aria-hidden="true" className="text-tiny text-ink-soft tabular-nums">
              {Number(day.slice(8))}
            </span>
            <span className="sr-only">
              {t(isAttended ? 'streak.attended' : 'streak.missed', {
                day: dayLabel(day, language),
              })}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
