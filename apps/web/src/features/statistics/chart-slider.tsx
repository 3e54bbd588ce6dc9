import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { statisticsTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';

/** The step of each key. */
const BY_ONE: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
};

interface ChartSliderProps {
  readonly name: string;
  /** The number of positions. */
  readonly count: number;
  /** The text of each position. */
  readonly readingOf: (index: number) => string;
  /** The text of the whole chart; shown while no position is chosen. */
  readonly summary: string;
  /** The position where the keyboard starts. */
  readonly start: number;
  readonly steps?: typeof BY_ONE;
  readonly className: string;
  /**
   * The drawing with the chosen position, marked by `data-chosen` where the drawing may be scrolled; `choose`
   * is for the pointer.
   */
  readonly children: (chosen: number | null, choose: (index: number) => void) => ReactNode;
}

/**
 * A chart read position by position, with the pointer or the keyboard. To screen readers it is a slider,
 * because sliders receive the arrow keys; the table has the same figures.
 */
export function ChartSlider(props: ChartSliderProps) {
  const { name, count, readingOf, summary, start, steps = BY_ONE, className, children } = props;
  const { t } = useTranslation(statisticsTexts);
  const [last, setLast] = useState<number | null>(null);
  const chosen = last !== null && last < count ? last : null;
  const at = chosen ?? start;
  const ref = useRef<HTMLDivElement>(null);
  const isByKeyRef = useRef(false);
  useEffect(() => {
    if (last === null || !isByKeyRef.current) return;
    // A drawing does not move under the pointer.
    const place = ref.current?.querySelector('[data-chosen]');
    place?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [last]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = { Home: 0, End: count - 1 }[event.key];
    const step = steps[event.key];
    if (target === undefined && step === undefined) return;
    event.preventDefault();
    isByKeyRef.current = true;
    setLast(Math.min(count - 1, Math.max(0, target ?? at + (step ?? 0))));
  };
  return (
    <div className="grid gap-3">
      <p className="min-h-6 text-small tabular-nums">
        {chosen === null ? summary : readingOf(chosen)}
      </p>
      <div
        ref={ref}
        role="slider"
        tabIndex={0}
        aria-label={t('chart.label', { name })}
        aria-readonly
        aria-valuemin={0}
        aria-valuemax={count - 1}
        aria-valuenow={at}
        aria-valuetext={readingOf(at)}
        className={className}
        onKeyDown={onKeyDown}
        // The screen reader's text on arrival is also shown.
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && setLast(at)}
        // A lifted finger leaves too: its choice stays readable.
        onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setLast(null)}
        onBlur={() => setLast(null)}
      >
        {children(chosen, (index) => {
          isByKeyRef.current = false;
          setLast(index);
        })}
      </div>
    </div>
  );
}
