const SECOND_MS = 1_000;

interface Parts {
  readonly hours: string;
  readonly minutes: string;
  readonly seconds: string;
}

function partsOf(ms: number): Parts {
  const seconds = Math.floor(Math.max(0, ms) / SECOND_MS);
  const two = (value: number) => String(value).padStart(2, '0');
  return {
    hours: String(Math.floor(seconds / 3_600)),
    minutes: two(Math.floor(seconds / 60) % 60),
    seconds: two(seconds % 60),
  };
}

/** Minutes after midnight as people write a time of day: `04:30`. */
export function timeOfDayText(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** A duration as hours:minutes:seconds, `1:02:03` (specification §4, tiles). */
export function clockText(ms: number): string {
  const { hours, minutes, seconds } = partsOf(ms);
  return `${hours}:${minutes}:${seconds}`;
}

/** A duration as HH:MM:SS, `01:02:03` (specification §4, header). */
export function paddedClockText(ms: number): string {
  const { hours, minutes, seconds } = partsOf(ms);
  return `${hours.padStart(2, '0')}:${minutes}:${seconds}`;
}

/** What is left of a time, as minutes:seconds, `4:05`; the second that has begun counts. */
export function remainingText(ms: number): string {
  const seconds = Math.ceil(Math.max(0, ms) / SECOND_MS);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
