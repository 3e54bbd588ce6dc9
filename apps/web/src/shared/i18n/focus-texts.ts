import { pageTexts, type TranslateWith } from './texts.ts';

/** The room's texts about focus, goals, the pomodoro, arrivals and departures. */
export const focusTexts = pageTexts({
  ko: () => import('./focus.ko.json'),
  en: () => import('./focus.en.json'),
});
export type FocusText = TranslateWith<typeof focusTexts>;
