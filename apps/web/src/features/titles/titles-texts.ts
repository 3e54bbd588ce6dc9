import { pageTexts, type TranslateWith } from '../../shared/i18n/texts.ts';
import type ko from '../../shared/i18n/titles.ko.json';

/** The texts of titles. */
export const titlesTexts = pageTexts<Readonly<Record<keyof typeof ko, string>>>({
  ko: () => import('../../shared/i18n/titles.ko.json'),
  en: () => import('../../shared/i18n/titles.en.json'),
});
export type TitlesText = TranslateWith<typeof titlesTexts>;
