import { pageTexts, type TranslateWith } from './texts.ts';

/** The texts of a room about focus, goals, the pomodoro, and who comes and goes. */
export const focusTexts = pageTexts({
  ko: () => import('./focus.ko.json'),
  en: () => import('./focus.en.json'),
});
export type FocusText = TranslateWith<typeof focusTexts>;
