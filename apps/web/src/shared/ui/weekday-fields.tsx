import { useId } from 'react';
import { groupsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { weekdayNames } from './rule-text.ts';

interface WeekdayFieldsProps {
  readonly days: readonly number[];
  readonly onChange: (days: number[]) => void;
  readonly error: string | undefined;
}

/** Days of the week, each of them a box to tick. */
export function WeekdayFields({ days, onChange, error }: WeekdayFieldsProps) {
  const { t } = useTranslation(groupsTexts);
  const errorId = useId();
  const names = new Map(weekdayNames('long'));
  const toggle = (day: number) =>
    onChange(days.includes(day) ? days.filter((other) => other !== day) : [...days, day].sort());
  return (
    <fieldset className="min-w-0" aria-describedby={error ? errorId : undefined}>
      <legend className="pb-1.5 font-semibold text-small">{t('weekdays.label')}</legend>
      <div className="grid max-w-sm grid-cols-7 gap-1">
        {weekdayNames('short').map(([day, name]) => (
          <label
            key={day}
            className="relative flex min-h-11 cursor-pointer items-center justify-center rounded-small border border-line-strong text-ink-soft text-small hover:text-ink has-checked:border-primary has-checked:bg-primary has-checked:font-semibold has-checked:text-on-primary has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2"
          >
            <input
              type="checkbox"
              className="sr-only"
              aria-label={names.get(day)}
              checked={days.includes(day)}
              onChange={() => toggle(day)}
            />
            {name}
          </label>
        ))}
      </div>
      <p id={errorId} role="alert" className="pt-1.5 text-caption text-danger empty:sr-only">
        {error}
      </p>
    </fieldset>
  );
}

const TIME_OF_DAY = /^(\d{2}):(\d{2})$/u;

/** Minutes after midnight of a time field; null while it is empty. */
export function minuteOf(time: string): number | null {
  const [, hours, minutes] = TIME_OF_DAY.exec(time) ?? [];
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes);
}
