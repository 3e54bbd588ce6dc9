import { useId } from 'react';
import { weekdayName } from '../i18n/date-format.ts';
import { useTranslation } from '../i18n/texts.ts';

const WEEK = [1, 2, 3, 4, 5, 6, 7] as const;

interface WeekdayFieldsProps {
  readonly label: string;
  /** 1 for Monday to 7 for Sunday (ISO 8601). */
  readonly days: readonly number[];
  readonly onChange: (days: number[]) => void;
  readonly error?: string | undefined;
}

/** Days of the week, each of them a box to tick. */
export function WeekdayFields({ label, days, onChange, error }: WeekdayFieldsProps) {
  const { language } = useTranslation();
  const errorId = useId();
  const toggle = (day: number) =>
    onChange(days.includes(day) ? days.filter((other) => other !== day) : [...days, day].sort());
  return (
    <fieldset className="w-full min-w-0 max-w-98" aria-describedby={error ? errorId : undefined}>
      <legend className="pb-1.5 font-semibold text-small">{label}</legend>
      <div className="grid grid-cols-7 gap-1">
        {WEEK.map((day) => (
          <label
            key={day}
            className="relative flex min-h-11 cursor-pointer items-center justify-center rounded-small border border-line-strong text-ink-soft text-small hover:text-ink has-checked:border-primary has-checked:bg-primary has-checked:font-semibold has-checked:text-on-primary has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-1"
          >
            <input
              type="checkbox"
              className="sr-only"
              aria-label={weekdayName(day - 1, language, 'long')}
              checked={days.includes(day)}
              onChange={() => toggle(day)}
            />
            {weekdayName(day - 1, language, 'short')}
          </label>
        ))}
      </div>
      <p id={errorId} role="alert" className="pt-1.5 text-caption text-danger empty:sr-only">
        {error}
      </p>
    </fieldset>
  );
}
