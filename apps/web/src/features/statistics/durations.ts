import type { DayFigures } from '@mogakgong/contract';
import { HOUR_MS, MINUTE_MS } from '@mogakgong/contract';
import { durationText } from '../../shared/i18n/duration-text.ts';
import type { StatisticsText } from '../../shared/i18n/namespaces.ts';

/** The figures of a day or hour in one line. */
export function readingOf(
  t: StatisticsText,
  name: string,
  { manualMs = 0, ...counted }: Pick<DayFigures, 'focusMs' | 'awayMs'> & Partial<DayFigures>,
): string {
  const reading = countedReading(t, name, counted);
  if (manualMs === 0) return reading;
  const manual = durationText(t, manualMs);
  return counted.focusMs + counted.awayMs === 0
    ? t('reading.onlyManual', { name, manual })
    : t('reading.manual', { reading, manual });
}

function countedReading(
  t: StatisticsText,
  name: string,
  { focusMs, awayMs }: Pick<DayFigures, 'focusMs' | 'awayMs'>,
): string {
  if (focusMs + awayMs === 0) return t('reading.nothing', { name });
  const focus = durationText(t, focusMs);
  if (awayMs === 0) return t('reading.focus', { name, focus });
  return t('reading.both', { name, focus, away: durationText(t, awayMs) });
}

/**
 * Distances between the lines of a chart, in minutes: each line's label is in whole hours, minutes or
 * seconds.
 */
const STEPS_MINUTES = [
  1 / 12,
  1 / 6,
  1 / 4,
  1,
  2,
  5,
  10,
  15,
  30,
  60,
  120,
  180,
  240,
  360,
  480,
  720,
] as const;
const MAX_LINES = 4;

/** The values of a chart's lines for a maximum of `maxMs`, from 0 to the first one beyond it. */
export function chartLines(maxMs: number): number[] {
  const step = STEPS_MINUTES.find((minutes) => maxMs <= minutes * MINUTE_MS * MAX_LINES);
  const stepMs = step ? step * MINUTE_MS : Math.ceil(maxMs / MAX_LINES / HOUR_MS) * HOUR_MS;
  const count = Math.max(1, Math.ceil(maxMs / stepMs));
  return Array.from({ length: count + 1 }, (_, index) => index * stepMs);
}
