import { pageTexts, type TranslateWith } from '../../shared/i18n/texts.ts';

export const titlesTexts = pageTexts({
  ko: () => import('../../shared/i18n/titles.ko.json'),
  en: () => import('../../shared/i18n/titles.en.json'),
});
export type TitlesText = TranslateWith<typeof titlesTexts>;
