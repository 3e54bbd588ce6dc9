import {
  ATTENDANCE_MIN_MS,
  DEFAULT_TIME_ZONE,
  type FocusSettings,
  type Statistics,
  type StudyDays,
} from '@mogakgong/contract';
import type { Loaded } from '../../shared/api/index.ts';
import { timeOfDayText } from '../../shared/clock/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { LoadState } from '../../shared/ui/load-state.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { statisticsTexts } from './statistics-texts.ts';
import { addDays, dayLabel, figuresByDay } from './study-days.ts';

/** Days of the row of lamps. */
const SHOWN_DAYS = 14;

interface StreakPanelProps {
  readonly statistics: Loaded<Statistics>;
  readonly studyDays: StudyDays | null;
  readonly settings: FocusSettings | null;
}

/** Days in a row, the last two weeks lamp by lamp, and the rule in plain words. */
export function StreakPanel({ statistics, studyDays, settings }: StreakPanelProps) {
  const { t } = useTranslation(statisticsTexts);
  const startMinutes = settings?.dayStartMinutes ?? 0;
  return (
    <Panel title={t('streak.title')}>
      <LoadState of={statistics}>
        {({ continueAttendanceDays, longestAttendanceDays }) =>
          longestAttendanceDays === 0 ? (
            <p className="text-ink-soft">{t('streak.none')}</p>
          ) : (
            <p className="flex flex-wrap items-baseline gap-x-3">
              <span className="font-extrabold text-heading leading-none tabular-nums">
                {t('days.count', { count: continueAttendanceDays })}
              </span>
              <span className="text-ink-soft text-small">
                {t('streak.longest', { days: t('days.count', { count: longestAttendanceDays }) })}
              </span>
            </p>
          )
        }
      </LoadState>
      {studyDays && <LastDays studyDays={studyDays} />}
      <div className="grid gap-1.5 rounded-medium bg-raised p-4 text-small">
        <h3 className="font-semibold">{t('streak.ruleTitle')}</h3>
        <ul className="grid list-disc gap-1 pl-5 text-ink-soft">
          <li>{t('streak.ruleMinute', { minutes: ATTENDANCE_MIN_MS / 60_000 })}</li>
          <li>{t('streak.ruleToday')}</li>
          <li>
            {t('streak.ruleDay', {
              start: timeOfDayText(startMinutes),
              zone: settings?.timeZone ?? DEFAULT_TIME_ZONE,
            })}
          </li>
        </ul>
      </div>
    </Panel>
  );
}

function LastDays({ studyDays: { today, days } }: { readonly studyDays: StudyDays }) {
  const { t, language } = useTranslation(statisticsTexts);
  const lookUp = figuresByDay(days);
  const shown = Array.from({ length: SHOWN_DAYS }, (_, index) =>
    addDays(today, index - SHOWN_DAYS + 1),
  );
  return (
    <ol
      aria-label={t('streak.lastDays')}
      className="grid grid-cols-[repeat(14,minmax(0,1fr))] gap-1"
    >
      {shown.map((day) => {
        const isAttended = lookUp(day).focusMs >= ATTENDANCE_MIN_MS;
        return (
          <li key={day} className="grid justify-items-center gap-1" title={dayLabel(day, language)}>
            <svg viewBox="0 0 12 12" className="w-full max-w-5" aria-hidden="true">
              <circle
                cx="6"
                cy="6"
                r="5"
                className={
                  isAttended ? 'fill-lamp stroke-lamp-ink' : 'fill-raised stroke-line-strong'
                }
                strokeDasharray={isAttended ? undefined : '1.6 1.6'}
              />
            </svg>
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
