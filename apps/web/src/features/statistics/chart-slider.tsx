import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { statisticsTexts } from './statistics-texts.ts';

/** How far each key moves. */
const BY_ONE: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
};

interface ChartSliderProps {
  readonly name: string;
  /** How many places the chart has. */
  readonly count: number;
  /** What each place says. */
  readonly readingOf: (index: number) => string;
  /** What the chart says as a whole; stands where no place is chosen. */
  readonly summary: string;
  /** Where the keyboard comes in. */
  readonly start: number;
  readonly steps?: typeof BY_ONE;
  readonly className: string;
  /**
   * The drawing, with the place that is chosen, marked by `data-chosen` where the drawing may be scrolled;
   * `choose` is for the pointer.
   */
  readonly children: (chosen: number | null, choose: (index: number) => void) => ReactNode;
}

/**
 * A chart that is read place by place, with the pointer or the keyboard. To screen readers it is a
 * slider over its places, because that is what they hand arrow keys to; the table says the same.
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
    // Under the pointer a drawing stays where it is.
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
        // What a screen reader says on arrival is there to be read as well.
        onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && setLast(at)}
        // A finger that is lifted leaves too: what it chose stays to be read.
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
