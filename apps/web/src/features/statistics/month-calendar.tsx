import { addDays, type StudyDay, type StudyDays, weekdayOf } from '@mogakgong/contract';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { type KeyboardEvent, useRef } from 'react';
import { dayLabel } from '../../shared/i18n/date-format.ts';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { IconButton } from '../../shared/ui/button.tsx';
import { readingOf } from './durations.ts';
import { figuresByDay, monthOf, weekOf } from './study-days.ts';
import { levelOf } from './year-heatmap.tsx';

/** Months before this one that can be opened. */
const MONTHS_BACK = 11;
const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -7,
  ArrowDown: 7,
};

interface MonthCalendarProps {
  readonly studyDays: StudyDays;
  readonly chosen: StudyDay;
  readonly onChoose: (day: StudyDay) => void;
}

/** The month of the chosen day, one lamp a day; arrow keys choose another day. */
export function MonthCalendar({ studyDays, chosen, onChoose }: MonthCalendarProps) {
  const { t, language } = useTranslation(statisticsTexts);
  const { today } = studyDays;
  const ref = useRef<HTMLDivElement>(null);
  const lookUp = figuresByDay(studyDays.days);
  const days = monthOf(chosen);
  const earliest = `${addDays(`${today.slice(0, 7)}-01`, -30.4 * MONTHS_BACK).slice(0, 7)}-01`;
  const choose = (day: StudyDay) => {
    if (day >= earliest && day <= today) onChoose(day);
  };
  const turn = (day: StudyDay) => choose(day > today ? today : day);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    choose(addDays(chosen, step));
    requestAnimationFrame(() =>
      ref.current?.querySelector<HTMLElement>('[aria-pressed=true]')?.focus(),
    );
  };
  const [first = chosen] = days;
  const last = days.at(-1) ?? chosen;
  return (
    <div className="grid content-start gap-3">
      <div className="flex items-center justify-between gap-2">
        <IconButton
          icon={ChevronLeft}
          size="small"
          label={t('month.before')}
          disabled={addDays(first, -1) < earliest}
          onClick={() => turn(addDays(first, -1))}
        />
        <h3 className="font-semibold">
          {dayLabel(first, language, { year: 'numeric', month: 'long' })}
        </h3>
        <IconButton
          icon={ChevronRight}
          size="small"
          label={t('month.after')}
          disabled={last >= today}
          onClick={() => turn(addDays(last, 1))}
        />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no grid in every browser */}
      <div
        ref={ref}
        role="group"
        aria-label={t('month.days')}
        className="grid grid-cols-7 gap-1"
        onKeyDown={onKeyDown}
      >
        {weekOf(first).map((day) => (
          <span key={day} aria-hidden="true" className="text-center text-ink-soft text-tiny">
            {dayLabel(day, language, { weekday: 'short' })}
          </span>
        ))}
        {days.map((day, index) => (
          <button
            key={day}
            type="button"
            disabled={day > today}
            aria-pressed={day === chosen}
            tabIndex={day === chosen ? 0 : -1}
            style={index === 0 ? { gridColumnStart: weekdayOf(day) + 1 } : undefined}
            className="grid min-h-11 justify-items-center gap-0.5 rounded-small p-1 text-tiny tabular-nums hover:bg-raised disabled:opacity-40 aria-pressed:bg-lamp-wash aria-pressed:font-bold"
            onClick={() => choose(day)}
          >
            <span aria-hidden="true">{Number(day.slice(8))}</span>
            <span className="sr-only">{readingOf(t, dayLabel(day, language), lookUp(day))}</span>
            <span
              aria-hidden="true"
              className="heat chart-ink w-6"
              data-level={levelOf(lookUp(day).focusMs)}
              data-manual={lookUp(day).manualMs > 0 || undefined}
            />
          </button>
        ))}
      </div>
    </div>
  );
}
