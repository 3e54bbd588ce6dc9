import type { Visit, VisitInterval } from '@mogakgong/contract';
import { ChevronDown } from 'lucide-react';
import { clockText, useSecond } from '../../shared/clock/index.ts';
import { dateFormat } from '../../shared/i18n/date-format.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { StatusDot } from '../../shared/ui/status-dot.tsx';

import { StatusBar } from './status-bar.tsx';
import { visitAfter } from './use-visits.ts';
import { VisitNote } from './visit-note.tsx';

interface VisitRowProps {
  readonly visit: Visit;
  /** The server's time when it described the visit. */
  readonly knownAtMs: number;
}

/** One visit; opened, it lists the intervals that its numbers sum. A running one grows. */
export function VisitRow({ visit: known, knownAtMs }: VisitRowProps) {
  const { t, language } = useTranslation(statisticsTexts);
  const nowMs = useSecond((secondMs) =>
    known.endedAtMs === null ? Math.max(secondMs, knownAtMs) : knownAtMs,
  );
  const visit = visitAfter(known, nowMs - knownAtMs);
  const timeZone = visit.intervals[0]?.timeZone;
  const date = timeFormat(language, { month: 'short', day: 'numeric', weekday: 'short' }, timeZone);
  const time = timeFormat(language, { hour: 'numeric', minute: '2-digit' }, timeZone);
  return (
    <li>
      <details className="group rounded-medium border border-line open:bg-raised/40">
        <summary className="flex list-none flex-wrap items-center gap-x-4 gap-y-1 rounded-medium px-4 py-3 text-small hover:bg-raised">
          <span className="font-semibold sm:min-w-28">{date(visit.beganAtMs)}</span>
          <span className="text-ink-soft tabular-nums max-sm:order-last max-sm:w-full">
            {time(visit.beganAtMs)}–
            {visit.endedAtMs === null ? t('visits.now') : time(visit.endedAtMs)}
            {' · '}
            {t('visits.room', { number: visit.roomId })}
          </span>
          <span className="ml-auto flex items-center gap-3 tabular-nums">
            <span>
              <span className="max-sm:sr-only">{t('visits.focus')}</span>{' '}
              <b>{durationText(t, visit.focusMs)}</b>
            </span>
            <ChevronDown
              size={18}
              aria-hidden="true"
              className="shrink-0 text-ink-soft transition-transform group-open:rotate-180"
            />
          </span>
        </summary>
        <VisitDetail visit={visit} nowMs={nowMs} />
      </details>
    </li>
  );
}

function timeFormat(
  language: string,
  options: Intl.DateTimeFormatOptions,
  timeZone: string | undefined,
) {
  const format = dateFormat(language, { ...options, timeZone });
  return (ms: number) => format.format(ms);
}

interface VisitDetailProps {
  readonly visit: Visit;
  readonly nowMs: number;
}

function VisitDetail({ visit, nowMs }: VisitDetailProps) {
  const { t } = useTranslation(statisticsTexts);
  if (visit.intervals.length === 0) {
    return <p className="px-4 pb-4 text-ink-soft text-small">{t('visits.noIntervals')}</p>;
  }
  const zones = [...new Set(visit.intervals.map(({ timeZone }) => timeZone))];
  const isElsewhere = zones.some(
    (zone) => zone !== Intl.DateTimeFormat().resolvedOptions().timeZone,
  );
  return (
    <div className="grid gap-4 px-4 pt-1 pb-4">
      <StatusBar
        parts={visit.intervals.map(({ status, startedAtMs, endedAtMs }) => ({
          status,
          from: startedAtMs,
          to: endedAtMs ?? nowMs,
        }))}
        from={visit.beganAtMs}
        to={visit.endedAtMs ?? nowMs}
      />
      {visit.hasEarlier && (
        <p className="text-ink-soft text-small">
          {t('visits.latestOnly', { count: visit.intervals.length })}
        </p>
      )}
      <ol className="grid gap-1 text-small">
        {visit.intervals.map((interval) => (
          <IntervalLine key={interval.startedAtMs} interval={interval} nowMs={nowMs} />
        ))}
      </ol>
      {isElsewhere && (
        <p className="text-ink-soft text-small">{t('visits.zone', { zone: zones.join(', ') })}</p>
      )}
      <VisitNote visit={visit} />
      <p className="border-line-strong border-t pt-2 text-right text-small tabular-nums">
        {t('visits.sum', {
          focus: clockText(visit.focusMs),
          away: clockText(visit.awayMs),
        })}
      </p>
    </div>
  );
}

interface IntervalLineProps {
  readonly interval: VisitInterval;
  readonly nowMs: number;
}

function IntervalLine({ interval, nowMs }: IntervalLineProps) {
  const { t, language } = useTranslation(statisticsTexts);
  const { status, startedAtMs, endedAtMs, cause, timeZone } = interval;
  const time = timeFormat(language, { timeStyle: 'medium' }, timeZone);
  return (
    <li className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 border-line border-t py-1.5 first:border-t-0">
      <span className="flex min-w-20 items-center gap-2">
        <StatusDot status={status} />
        {t(`status.${status}`)}
      </span>
      <span className="text-ink-soft tabular-nums">
        {time(startedAtMs)}–{endedAtMs === null ? t('visits.now') : time(endedAtMs)}
        {cause === 'silence' && <> · {t('visits.silence')}</>}
      </span>
      <span className="tabular-nums">{clockText((endedAtMs ?? nowMs) - startedAtMs)}</span>
    </li>
  );
}
