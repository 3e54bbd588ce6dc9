import type { TextValues } from '../../shared/i18n/format.tsx';
import { type PageTextKey, pageTexts, usePageText } from '../../shared/i18n/page-texts.ts';
import type ko from '../../shared/i18n/titles.ko.json';

type TitlesTexts = Readonly<Record<keyof typeof ko, string>>;
export type TitlesText = (key: PageTextKey<TitlesTexts>, values?: TextValues) => string;

const texts = pageTexts<TitlesTexts>({
  ko: () => import('../../shared/i18n/titles.ko.json'),
  en: () => import('../../shared/i18n/titles.en.json'),
});

/** The look-up in the texts of titles; suspends until they are there. */
export function useTitlesText(): TitlesText {
  return usePageText(texts);
}
