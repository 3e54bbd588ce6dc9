import type ko from '../../shared/i18n/focus.ko.json';
import type { TextValues } from '../../shared/i18n/format.tsx';
import { type PageTextKey, pageTexts, usePageText } from '../../shared/i18n/page-texts.ts';

type FocusTexts = Readonly<Record<keyof typeof ko, string>>;
export type FocusText = (key: PageTextKey<FocusTexts>, values?: TextValues) => string;

const texts = pageTexts<FocusTexts>({
  ko: () => import('../../shared/i18n/focus.ko.json'),
  en: () => import('../../shared/i18n/focus.en.json'),
});

/** The look-up in the texts of focus; suspends until they are there. */
export function useFocusText(): FocusText {
  return usePageText(texts);
}
