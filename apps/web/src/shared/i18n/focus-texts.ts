import type ko from './focus.ko.json';
import type { TextValues } from './format.tsx';
import { type PageTextKey, pageTexts, usePageText } from './page-texts.ts';

type FocusTexts = Readonly<Record<keyof typeof ko, string>>;
export type FocusText = (key: PageTextKey<FocusTexts>, values?: TextValues) => string;

const texts = pageTexts<FocusTexts>({
  ko: () => import('./focus.ko.json'),
  en: () => import('./focus.en.json'),
});

/** The look-up in the texts about focus, goals and the pomodoro; suspends until they are there. */
export function useFocusText(): FocusText {
  return usePageText(texts);
}
