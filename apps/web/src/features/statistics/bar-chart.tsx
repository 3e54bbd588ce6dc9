import { useId } from 'react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { chartLines, durationText } from './durations.ts';
import { statisticsTexts } from './statistics-texts.ts';
import { AwayHatching } from './status-bar.tsx';
import { useChartCursor } from './use-chart-cursor.ts';
import { useWidth } from './use-width.ts';

export interface Bar {
  readonly key: string;
  /** Under the bar; empty for none. */
  readonly axisLabel: string;
  /** What the bar says in words. */
  readonly reading: string;
  readonly focusMs: number;
  readonly awayMs: number;
  /** What the chart points out: today, the best hour. */
  readonly isMarked?: boolean;
}

interface BarChartProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  /** What the chart says as a whole; stands where no bar is chosen. */
  readonly summary: string;
}

const HEIGHT = 220;
const TOP = 10;
const BOTTOM = 26;
/** Of the widest sign of a 12 px label, and what lies around a label. */
const LABEL_SIGN_WIDTH = 8;
const LABEL_SPACE = 16;
const MAX_BAR_WIDTH = 40;
const ROUNDNESS = 5;

/** A column whose top corners are round. */
function column(x: number, y: number, width: number, height: number): string {
  const r = Math.min(ROUNDNESS, width / 2, height);
  return `M${x} ${y + height}v${r - height}q0 ${-r} ${r} ${-r}h${width - 2 * r}q${r} 0 ${r} ${r}v${height - r}z`;
}

/** Focus, and away hatched above it, bar by bar. Read with the pointer or arrow keys. */
export function BarChart({ label, bars, summary }: BarChartProps) {
  const { t } = useTranslation(statisticsTexts);
  const [ref, width] = useWidth(640);
  const hatchId = useId();
  const marked = bars.findIndex(({ isMarked }) => isMarked);
  const cursor = useChartCursor({
    label,
    count: bars.length,
    start: Math.max(0, marked),
    readingOf: (index) => bars[index]?.reading ?? '',
  });
  const maxMs = Math.max(...bars.map(({ focusMs, awayMs }) => focusMs + awayMs));
  const lines = chartLines(maxMs);
  const topMs = lines.at(-1) ?? 1;
  const labels = lines.map((ms) => (ms === 0 ? '0' : durationText(t, ms)));
  const left = LABEL_SPACE + LABEL_SIGN_WIDTH * Math.max(...labels.map(({ length }) => length));
  const slot = (width - left) / bars.length;
  const yOf = (ms: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - ms / topMs);
  return (
    <div className="grid gap-3">
      <p className="min-h-6 text-small tabular-nums">{cursor.reading ?? summary}</p>
      <div ref={ref} {...cursor.chartProps} className="min-w-0 touch-pan-y rounded-small">
        <svg
          width={width}
          height={HEIGHT}
          viewBox={`0 0 ${width} ${HEIGHT}`}
          className="block max-w-full"
          aria-hidden="true"
        >
          <AwayHatching id={hatchId} />
          <Lines labels={labels} yOf={(line) => yOf(lines[line] ?? 0)} left={left} width={width} />
          {bars.map((bar, index) => (
            <Column
              key={bar.key}
              bar={bar}
              x={left + index * slot}
              slot={slot}
              yOf={yOf}
              hatchId={hatchId}
              isChosen={index === cursor.index}
              onChoose={() => cursor.moveTo(index)}
            />
          ))}
        </svg>
      </div>
    </div>
  );
}

interface LinesProps {
  /** From the bottom up. */
  readonly labels: readonly string[];
  readonly yOf: (line: number) => number;
  readonly left: number;
  readonly width: number;
}

function Lines({ labels, yOf, left, width }: LinesProps) {
  return labels.map((label, line) => (
    <g key={label}>
      <path d={`M${left} ${yOf(line)}H${width}`} className="stroke-line" />
      <text
        x={left - 8}
        y={yOf(line)}
        textAnchor="end"
        dominantBaseline="central"
        className="fill-ink-soft text-label tabular-nums"
      >
        {label}
      </text>
    </g>
  ));
}

interface ColumnProps {
  readonly bar: Bar;
  readonly x: number;
  readonly slot: number;
  readonly yOf: (ms: number) => number;
  readonly hatchId: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Column({ bar, x, slot, yOf, hatchId, isChosen, onChoose }: ColumnProps) {
  const width = Math.min(MAX_BAR_WIDTH, slot * 0.64);
  const left = x + (slot - width) / 2;
  const baseY = yOf(0);
  const focusY = yOf(bar.focusMs);
  const topY = yOf(bar.focusMs + bar.awayMs);
  return (
    <g data-bar-key={bar.key} onPointerEnter={onChoose} onPointerDown={onChoose}>
      <rect
        x={x}
        y={TOP}
        width={slot}
        height={HEIGHT - TOP - BOTTOM}
        className={isChosen ? 'fill-raised' : 'fill-transparent'}
      />
      {focusY < baseY && (
        <path
          d={column(left, focusY, width, baseY - focusY)}
          className="fill-lamp stroke-lamp-ink"
          strokeWidth="1"
        />
      )}
      {topY < focusY && (
        <path
          d={column(left, topY, width, focusY - topY)}
          fill={`url(#${hatchId})`}
          className="stroke-away"
          strokeWidth="1"
        />
      )}
      <text
        x={x + slot / 2}
        y={HEIGHT - 8}
        textAnchor="middle"
        className={
          bar.isMarked
            ? 'fill-ink font-bold text-label tabular-nums'
            : 'fill-ink-soft text-label tabular-nums'
        }
      >
        {bar.axisLabel}
      </text>
    </g>
  );
}
