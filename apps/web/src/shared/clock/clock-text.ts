import { SECOND_MS } from '@mogakgong/contract';

const two = (value: number) => String(value).padStart(2, '0');

/** Minutes after midnight as a time of day: `04:30`. */
export function timeOfDayText(minutes: number): string {
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** A duration as hours:minutes:seconds, `1:02:03` (specification §4, tiles). */
export function clockText(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / SECOND_MS);
  return `${Math.floor(seconds / 3_600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

/** A duration as HH:MM:SS, `01:02:03` (specification §4, header). */
export function paddedClockText(ms: number): string {
  return clockText(ms).padStart('00:00:00'.length, '0');
}

/** A remaining time as minutes:seconds, `4:05`; a started second counts. */
export function remainingText(ms: number): string {
  const seconds = Math.ceil(Math.max(0, ms) / SECOND_MS);
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}
