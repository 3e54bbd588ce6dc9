import {
  type AttendanceRow,
  type AttendanceStatus,
  addDays,
  type GroupMember,
  type GroupMonth,
  MINUTE_MS,
  type StudyDay,
  type UserId,
} from '@mogakgong/contract';
import { useEffect, useRef, useState } from 'react';
import { dayLabel } from '../../shared/i18n/date-format.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { classNames } from '../../shared/ui/class-names.ts';
import { AttendanceMark } from './attendance-mark.tsx';
import { firstRows } from './first-rows.ts';

/** Rows before a press on "show all": the own one and ten. */
const FIRST_SHOWN = 11;

interface AttendanceTableProps {
  readonly month: GroupMonth;
  readonly people: readonly GroupMember[];
  readonly ownId: UserId;
}

/** One row a member, the own one first, and one column a day. A narrow window begins at today. */
export function AttendanceTable({ month, people, ownId }: AttendanceTableProps) {
  const { t, language } = useTranslation(groupsTexts);
  const ref = useRef<HTMLElement>(null);
  const [isWhole, setIsWhole] = useState(false);
  const days = daysOf(month);
  const names = new Map(people.map(({ userId, nickname }) => [userId, nickname]));
  const rows = month.rows
    .filter(({ userId }) => names.has(userId))
    .toSorted((one, other) => Number(other.userId === ownId) - Number(one.userId === ownId));
  const shown = isWhole ? rows : firstRows(rows, FIRST_SHOWN);
  const title = dayLabel(`${month.month}-01`, language, { year: 'numeric', month: 'long' });
  const shownMonth = month.month;
  useEffect(() => {
    const today = ref.current?.querySelector<HTMLElement>(
      `[data-day-of="${shownMonth}"][data-today]`,
    );
    if (ref.current && today)
      ref.current.scrollLeft = today.offsetLeft + today.offsetWidth - ref.current.clientWidth;
  }, [shownMonth]);
  return (
    <>
      <section
        ref={ref}
        // Scrolled by keys, too.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
        aria-label={t('attendance.table', { month: title })}
        className={classNames(
          'relative overflow-x-auto rounded-small',
          // Many rows scroll below the days.
          isWhole && 'max-h-[80dvh]',
        )}
      >
        <table className="w-full min-w-[46rem] table-fixed border-separate border-spacing-0 text-caption">
          <caption className="sr-only">{t('attendance.table', { month: title })}</caption>
          <thead>
            <tr>
              <th
                scope="col"
                className="sticky top-0 left-0 z-20 w-28 bg-surface pb-2 text-left sm:w-40 lg:w-64"
              >
                <span className="font-semibold text-ink-soft">{t('attendance.member')}</span>
              </th>
              {days.map((day) => (
                <DayHeading key={day} day={day} isToday={day === month.today} month={shownMonth} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Row
                key={row.userId}
                {...{ row, days }}
                name={names.get(row.userId) ?? ''}
                today={month.today}
                hasStreak={month.month === month.today.slice(0, 7)}
              />
            ))}
          </tbody>
        </table>
      </section>
      {shown.length < rows.length && (
        <div>
          <Button size="small" onClick={() => setIsWhole(true)}>
            {t('members.all', { count: rows.length })}
          </Button>
        </div>
      )}
    </>
  );
}

function daysOf({ month, rows }: GroupMonth): readonly StudyDay[] {
  const count = rows[0]?.statuses.length ?? 0;
  return Array.from({ length: count }, (_, index) => addDays(`${month}-01`, index));
}

interface DayHeadingProps {
  readonly day: StudyDay;
  readonly month: string;
  readonly isToday: boolean;
}

function DayHeading({ day, month, isToday }: DayHeadingProps) {
  const { language } = useTranslation();
  const isSunday = new Date(`${day}T00:00:00Z`).getUTCDay() === 0;
  return (
    <th
      scope="col"
      data-day-of={month}
      data-today={isToday || undefined}
      className={classNames(
        'sticky top-0 z-10 pb-2 text-center font-normal text-label tabular-nums',
        isToday
          ? 'rounded-t-small bg-lamp-wash font-bold text-lamp-ink'
          : 'bg-surface text-ink-soft',
      )}
    >
      <span aria-hidden="true" className="grid leading-tight">
        <span className={isSunday ? 'font-bold' : undefined}>
          {dayLabel(day, language, { weekday: 'narrow' })}
        </span>
        {Number(day.slice(8))}
      </span>
      <span className="sr-only">{dayLabel(day, language, { dateStyle: 'full' })}</span>
    </th>
  );
}

interface RowProps {
  readonly row: AttendanceRow;
  readonly name: string;
  readonly days: readonly StudyDay[];
  readonly today: StudyDay;
  /** Days in a row run up to today, so no other month shows them. */
  readonly hasStreak: boolean;
}

function Row({ row, name, days, today, hasStreak }: RowProps) {
  const { t } = useTranslation(groupsTexts);
  return (
    <tr className="group">
      <th
        scope="row"
        className="sticky left-0 z-10 border-line border-t bg-surface py-2.5 pr-3 text-left font-normal"
      >
        <span className="block truncate font-semibold text-small">{name}</span>
        <span className="flex flex-wrap gap-x-2 text-caption text-ink-soft leading-snug tabular-nums">
          <span>{t('attendance.keptOf', { kept: row.kept, days: row.requiredDays })}</span>
          {hasStreak && row.row > 1 && <span>{t('attendance.row', { count: row.row })}</span>}
          <span>{durationText(t, row.focusMs)}</span>
        </span>
      </th>
      {days.map((day, index) => (
        <Cell
          key={day}
          day={day}
          isToday={day === today}
          status={row.statuses[index] ?? 'none'}
          minutes={row.minutes[index] ?? 0}
        />
      ))}
    </tr>
  );
}

interface CellProps {
  readonly day: StudyDay;
  readonly status: AttendanceStatus;
  readonly minutes: number;
  readonly isToday: boolean;
}

function Cell({ day, status, minutes, isToday }: CellProps) {
  const { t, language } = useTranslation(groupsTexts);
  const focus = minutes > 0 ? durationText(t, minutes * MINUTE_MS) : null;
  const name = status === 'none' ? null : t(`attendance.${status}`);
  const text = [name, focus].filter((part) => part !== null).join(', ');
  const date = dayLabel(day, language, { month: 'long', day: 'numeric' });
  return (
    <td
      title={text === '' ? undefined : `${date} · ${text}`}
      className={classNames('border-line border-t p-0 text-center', isToday && 'bg-lamp-wash')}
    >
      {status !== 'none' && <AttendanceMark status={status} />}
      <span className="sr-only">{text}</span>
    </td>
  );
}
