import { addDays, type StudyDay } from '@mogakgong/contract';

const A_MONDAY = '2024-01-01';

/**
 * `Intl.DateTimeFormat`, in the computer's zone where this browser does not know the requested one: a
 * learner's zone may have been chosen in a newer browser, or under another name.
 */
export function dateFormat(
  language: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(language, options);
  } catch (error) {
    if (!(error instanceof RangeError) || options.timeZone === undefined) throw error;
    return new Intl.DateTimeFormat(language, { ...options, timeZone: undefined });
  }
}

/** A day as a text in the reader's language. */
export function dayLabel(
  day: StudyDay,
  language: string,
  options: Intl.DateTimeFormatOptions = { month: 'long', day: 'numeric', weekday: 'short' },
): string {
  return new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }).format(
    Date.parse(`${day}T00:00:00Z`),
  );
}

/** The name of a weekday, 0 for Monday, in the reader's language. */
export const weekdayName = (weekday: number, language: string, style: 'short' | 'long'): string =>
  dayLabel(addDays(A_MONDAY, weekday), language, { weekday: style });
