import type { Timetable, TimetablePart } from '@mogakgong/contract';
import { HOUR_MS } from '@mogakgong/contract';
import { dateFormat } from '../../shared/i18n/date-format.ts';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { classNames } from '../../shared/ui/class-names.ts';

/** Colours of subjects, by their place (statistics.css). */
const COLOURS = 8;

/** The colour of a subject: the same on every day. */
export function colourOf({ subjects }: Timetable, { subjectId }: TimetablePart): string {
  const subject = subjects.find(({ id }) => id === subjectId);
  return subject ? `var(--subject-${subject.place % COLOURS})` : 'var(--lamp)';
}

/** A day as a planner has it: a row for each hour, in six parts of ten minutes. The list beside it says the same. */
export function DayTimetable({ timetable }: { readonly timetable: Timetable }) {
  const { language } = useTranslation(statisticsTexts);
  const { dayStartsAtMs, dayEndsAtMs, timeZone, parts } = timetable;
  const from = Math.min(dayStartsAtMs, ...parts.map(({ startedAtMs }) => startedAtMs));
  const to = Math.max(dayEndsAtMs, ...parts.map(({ endedAtMs }) => endedAtMs));
  const firstRow = dayStartsAtMs - Math.ceil((dayStartsAtMs - from) / HOUR_MS) * HOUR_MS;
  const rows = Array.from(
    { length: Math.ceil((to - firstRow) / HOUR_MS) },
    (_, index) => firstRow + index * HOUR_MS,
  );
  const hour = dateFormat(language, { hour: '2-digit', hourCycle: 'h23', timeZone });
  return (
    <ol aria-hidden="true" className="timetable text-tiny tabular-nums">
      {rows.map((rowMs) => (
        <li key={rowMs}>
          <span className="text-right text-ink-soft">
            {Number.parseInt(hour.format(rowMs), 10)}
          </span>
          <span className="timetable-hour">
            {parts
              .filter((part) => part.startedAtMs < rowMs + HOUR_MS && part.endedAtMs > rowMs)
              .map((part) => (
                <span
                  key={part.startedAtMs}
                  className={classNames('chart-ink', part.manualId !== null && 'by-hand')}
                  style={{
                    left: `${(100 * Math.max(0, part.startedAtMs - rowMs)) / HOUR_MS}%`,
                    right: `${(100 * Math.max(0, rowMs + HOUR_MS - part.endedAtMs)) / HOUR_MS}%`,
                    backgroundColor: colourOf(timetable, part),
                  }}
                />
              ))}
          </span>
        </li>
      ))}
    </ol>
  );
}
