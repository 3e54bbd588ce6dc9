import { type StudyDays, type Today, todayMs } from '@mogakgong/contract';
import { useSecond } from '../../shared/clock/index.ts';
import { sumOf, weekSoFar } from './study-days.ts';

/** The focus of today and of this week, which run on with the clock, and the week's time entered by hand. */
export function useFocusSoFar(today: Today, studyDays: StudyDays | null) {
  const todayFocusMs = useSecond((nowMs) => todayMs(today, nowMs));
  const week = sumOf(studyDays ? weekSoFar(today, studyDays, today.serverNowMs) : []);
  // What of today runs since then.
  const weekFocusMs = week.focusMs + todayFocusMs - todayMs(today, today.serverNowMs);
  return { todayFocusMs, weekFocusMs, weekManualMs: week.manualMs };
}
