import { durationText } from '../../shared/i18n/duration-text.ts';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { ChartSlider } from './chart-slider.tsx';
import { chartLines, readingOf } from './durations.ts';

import { statusFills } from './status-bar.tsx';

interface Bar {
  readonly name: string;
  /** Under the bar; empty for none. */
  readonly axisLabel: string;
  readonly focusMs: number;
  readonly awayMs: number;
  /** Entered by hand. */
  readonly manualMs?: number;
  /** A highlighted bar: today, the best hour. */
  readonly isMarked: boolean;
}

interface BarChartProps {
  readonly name: string;
  readonly bars: readonly Bar[];
  readonly summary: string;
}

/** A bar chart of focus, with striped time entered by hand above it, and hatched "away" on top. */
export function BarChart({ name, bars, summary }: BarChartProps) {
  const { t } = useTranslation(statisticsTexts);
  const marked = bars.findIndex(({ isMarked }) => isMarked);
  const lines = chartLines(
    Math.max(...bars.map(({ focusMs, manualMs = 0, awayMs }) => focusMs + manualMs + awayMs)),
  );
  return (
    <ChartSlider
      name={name}
      count={bars.length}
      start={Math.max(0, marked)}
      readingOf={(index) => {
        const bar = bars[index];
        return bar ? readingOf(t, bar.name, bar) : '';
      }}
      summary={summary}
      className="min-w-0 touch-pan-y rounded-small"
    >
      {(chosen, choose) => (
        <div
          aria-hidden="true"
          className="grid h-55 grid-cols-[auto_minmax(0,1fr)] gap-x-2 pt-2.5 pb-6.5 whitespace-nowrap text-ink-soft text-label tabular-nums"
        >
          <div className="flex flex-col-reverse justify-between">
            {lines.map((ms) => (
              <span key={ms} className="flex h-0 items-center justify-end">
                {ms === 0 ? '0' : durationText(t, ms)}
              </span>
            ))}
          </div>
          <div className="relative flex">
            <div className="absolute inset-0 flex flex-col-reverse justify-between">
              {lines.map((ms) => (
                <span key={ms} className="h-0 border-line border-b" />
              ))}
            </div>
            {bars.map((bar, index) => (
              <Column
                key={bar.name}
                bar={bar}
                topMs={lines.at(-1) ?? 1}
                isChosen={index === chosen}
                onChoose={() => choose(index)}
              />
            ))}
          </div>
        </div>
      )}
    </ChartSlider>
  );
}

interface ColumnProps {
  readonly bar: Bar;
  /** The value of the chart's top line. */
  readonly topMs: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Column({ bar, topMs, isChosen, onChoose }: ColumnProps) {
  const parts = { away: bar.awayMs, manual: bar.manualMs ?? 0, focus: bar.focusMs };
  return (
    <div
      className={classNames(
        'relative flex flex-1 flex-col items-center justify-end',
        isChosen && 'bg-raised',
      )}
      onPointerEnter={onChoose}
      onPointerDown={onChoose}
    >
      {(['away', 'manual', 'focus'] as const).map(
        (status) =>
          parts[status] > 0 && (
            <span
              key={status}
              data-part={status}
              className={`w-16/25 max-w-10 rounded-t-[5px] border ${statusFills[status]}`}
              style={{ height: `${(100 * parts[status]) / topMs}%` }}
            />
          ),
      )}
      <span className={classNames('absolute top-full pt-2', bar.isMarked && 'font-bold text-ink')}>
        {bar.axisLabel}
      </span>
    </div>
  );
}
