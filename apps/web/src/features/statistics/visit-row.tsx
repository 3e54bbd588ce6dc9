import type { Visit, VisitInterval } from '@mogakgong/contract';
import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { clockText } from '../../shared/clock/index.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { StatusDot } from '../../shared/ui/status-dot.tsx';
import { durationText } from './durations.ts';
import { useStatisticsText } from './statistics-texts.ts';

interface VisitRowProps {
  readonly visit: Visit;
  readonly serverNowMs: number;
  readonly timeZone: string | undefined;
}

/** One visit; opened, the intervals that its numbers are the sum of. */
export function VisitRow({ visit, serverNowMs, timeZone }: VisitRowProps) {
  const t = useStatisticsText();
  const { language } = useTranslation();
  const date = new Intl.DateTimeFormat(language, {
    month: 'long',
    day: 'numeric',
    weekday: 'short',
    timeZone,
  }).format(visit.beganAtMs);
  const time = timeFormat(language, timeZone, { hour: 'numeric', minute: '2-digit' });
  return (
    <li>
      <details className="group rounded-medium border border-line open:bg-raised/40">
        <summary className="flex list-none flex-wrap items-center gap-x-4 gap-y-1 rounded-medium px-4 py-3 text-small hover:bg-raised">
          <span className="min-w-28 font-semibold">{date}</span>
          <span className="text-ink-soft tabular-nums max-sm:order-last max-sm:w-full">
            {time(visit.beganAtMs)}–
            {visit.endedAtMs === null ? t('visits.now') : time(visit.endedAtMs)}
            {' · '}
            {t('visits.room', { number: visit.roomId })}
          </span>
          <span className="ml-auto flex items-center gap-3 tabular-nums">
            <span>
              {t('visits.focus')} <b>{durationText(t, visit.focusMs)}</b>
            </span>
            <ChevronDown
              size={18}
              aria-hidden="true"
              className="shrink-0 text-ink-soft transition-transform group-open:rotate-180"
            />
          </span>
        </summary>
        <VisitDetail visit={visit} serverNowMs={serverNowMs} timeZone={timeZone} />
      </details>
    </li>
  );
}

function timeFormat(
  language: string,
  timeZone: string | undefined,
  options: Intl.DateTimeFormatOptions,
) {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone });
  return (ms: number) => format.format(ms);
}

function VisitDetail({ visit, serverNowMs, timeZone }: VisitRowProps) {
  const t = useStatisticsText();
  const { t: common, language } = useTranslation();
  const time = timeFormat(language, timeZone, { timeStyle: 'medium' });
  if (visit.intervals.length === 0) {
    return <p className="px-4 pb-4 text-ink-soft text-small">{t('visits.noIntervals')}</p>;
  }
  const endOf = (interval: VisitInterval) => interval.endedAtMs ?? serverNowMs;
  return (
    <div className="grid gap-4 px-4 pt-1 pb-4">
      <Timeline visit={visit} serverNowMs={serverNowMs} />
      {visit.hasEarlier && (
        <p className="text-ink-soft text-small">
          {t('visits.latestOnly', { count: visit.intervals.length })}
        </p>
      )}
      <ol className="grid gap-1 text-small">
        {visit.intervals.map((interval) => (
          <li
            key={interval.startedAtMs}
            className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 border-line border-t py-1.5 first:border-t-0"
          >
            <span className="flex min-w-20 items-center gap-2">
              <StatusDot status={interval.status} decorative />
              {common(`status.${interval.status}`)}
            </span>
            <span className="text-ink-soft tabular-nums">
              {time(interval.startedAtMs)}–
              {interval.endedAtMs === null ? t('visits.now') : time(interval.endedAtMs)}
              {interval.cause === 'silence' && <> · {t('visits.silence')}</>}
            </span>
            <span className="tabular-nums">
              {clockText(endOf(interval) - interval.startedAtMs)}
            </span>
          </li>
        ))}
      </ol>
      <p className="border-line-strong border-t pt-2 text-right text-small tabular-nums">
        {t('visits.sum', {
          focus: clockText(visit.focusMs),
          away: clockText(visit.awayMs),
        })}
      </p>
    </div>
  );
}

const FILLS = { focus: 'fill-lamp', pause: 'fill-raised', away: '' } as const;
const TIMELINE_WIDTH = 1_000;

/** The intervals in proportion; the list below it says the same in words. */
function Timeline({ visit, serverNowMs }: Omit<VisitRowProps, 'timeZone'>) {
  const hatchId = useId();
  const endMs = visit.endedAtMs ?? serverNowMs;
  const wholeMs = Math.max(1, endMs - visit.beganAtMs);
  const xOf = (ms: number) => ((ms - visit.beganAtMs) / wholeMs) * TIMELINE_WIDTH;
  return (
    <svg
      viewBox={`0 0 ${TIMELINE_WIDTH} 16`}
      preserveAspectRatio="none"
      className="h-4 w-full rounded-small border border-line"
      aria-hidden="true"
    >
      <defs>
        <pattern id={hatchId} width="8" height="8" patternUnits="userSpaceOnUse">
          <path d="M0 8 8 0M-2 2l4-4M6 10l4-4" className="stroke-away" strokeWidth="2" />
        </pattern>
      </defs>
      {visit.intervals.map(({ status, startedAtMs, endedAtMs }) => (
        <rect
          key={startedAtMs}
          x={xOf(startedAtMs)}
          width={Math.max(0, xOf(endedAtMs ?? serverNowMs) - xOf(startedAtMs))}
          height="16"
          className={FILLS[status]}
          fill={status === 'away' ? `url(#${hatchId})` : undefined}
        />
      ))}
    </svg>
  );
}
