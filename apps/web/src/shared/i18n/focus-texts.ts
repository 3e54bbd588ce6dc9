import { pageTexts, type TranslateWith } from './texts.ts';

/** The texts about focus, goals and the pomodoro. */
export const focusTexts = pageTexts({
  ko: () => import('./focus.ko.json'),
  en: () => import('./focus.en.json'),
});
export type FocusText = TranslateWith<typeof focusTexts>;
