import { weekdayName } from '../../shared/i18n/date-format.ts';
import { planTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';

const WEEK = [0, 1, 2, 3, 4, 5, 6] as const;

/** Weekdays as a text. */
export function WeekdayNames({ weekdays }: { readonly weekdays: readonly number[] }) {
  const { t, language } = useTranslation(planTexts);
  if (weekdays.length === WEEK.length) return t('weekdays.all');
  return weekdays.map((weekday) => weekdayName(weekday, language, 'short')).join(' · ');
}

interface WeekdayChoiceProps {
  readonly value: readonly number[];
  readonly onChange: (weekdays: readonly number[]) => void;
}

/** Any number of weekdays. */
export function WeekdayChoice({ value, onChange }: WeekdayChoiceProps) {
  const { t, language } = useTranslation(planTexts);
  const toggle = (weekday: number) =>
    onChange(
      value.includes(weekday)
        ? value.filter((one) => one !== weekday)
        : [...value, weekday].toSorted(),
    );
  return (
    <fieldset className="min-w-0">
      <legend className="pb-1.5 font-semibold text-small">{t('weekdays.label')}</legend>
      <div className="flex flex-wrap gap-1">
        {WEEK.map((weekday) => (
          <button
            key={weekday}
            type="button"
            aria-pressed={value.includes(weekday)}
            aria-label={weekdayName(weekday, language, 'long')}
            className="size-11 rounded-full border border-line-strong bg-surface text-small hover:bg-raised aria-pressed:border-primary aria-pressed:bg-primary aria-pressed:font-semibold aria-pressed:text-on-primary"
            onClick={() => toggle(weekday)}
          >
            {weekdayName(weekday, language, 'short')}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
