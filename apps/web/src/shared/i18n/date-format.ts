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
