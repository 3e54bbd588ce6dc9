import { type FocusEvent, type KeyboardEvent, type PointerEvent, useState } from 'react';

/** How far each key moves. */
export type CursorSteps = Readonly<Record<string, number>>;

const STEPS: CursorSteps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

interface ChartCursorOptions {
  readonly count: number;
  /** What each place says. */
  readonly readingOf: (index: number) => string;
  readonly label: string;
  /** Where the keyboard comes in. */
  readonly start: number;
  readonly steps?: CursorSteps;
}

/**
 * A place in a chart that the pointer or the keyboard is at. To screen readers the chart is a slider
 * over its places, because that is what they hand arrow keys to; the table says the same.
 */
export function useChartCursor(options: ChartCursorOptions) {
  const { count, readingOf, label, start, steps = STEPS } = options;
  const [chosen, setChosen] = useState<number | null>(null);
  const index = chosen !== null && chosen < count ? chosen : null;
  const at = index ?? start;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = { Home: 0, End: count - 1 }[event.key];
    const step = steps[event.key];
    if (target === undefined && step === undefined) return;
    event.preventDefault();
    setChosen(Math.min(count - 1, Math.max(0, target ?? at + (step ?? 0))));
  };
  return {
    index,
    reading: index === null ? null : readingOf(index),
    moveTo: setChosen,
    /** For the element around the drawing. */
    chartProps: {
      role: 'slider',
      tabIndex: 0,
      'aria-label': label,
      'aria-readonly': true,
      'aria-valuemin': 0,
      'aria-valuemax': count - 1,
      'aria-valuenow': at,
      'aria-valuetext': readingOf(at),
      onKeyDown,
      // What a screen reader says on arrival is there to be read as well.
      onFocus: ({ currentTarget }: FocusEvent) => {
        if (currentTarget.matches(':focus-visible')) setChosen(at);
      },
      // A finger that is lifted leaves too: what it chose stays to be read.
      onPointerLeave: ({ pointerType }: PointerEvent) => {
        if (pointerType !== 'touch') setChosen(null);
      },
      onBlur: () => setChosen(null),
    },
  } as const;
}
