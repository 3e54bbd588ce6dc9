import type { FocusText } from '../../shared/i18n/focus-texts.ts';

/** A target in hours and minutes. */
export function targetText(text: FocusText, targetMinutes: number): string {
  const hours = Math.floor(targetMinutes / 60);
  const minutes = targetMinutes % 60;
  if (hours === 0) return text('goal.minutes', { minutes });
  return minutes === 0
    ? text('goal.hours', { hours })
    : text('goal.hoursMinutes', { hours, minutes });
}
