import { pageTexts, type TranslateWith } from '../../shared/i18n/texts.ts';

export const statisticsTexts = pageTexts({
  ko: () => import('../../shared/i18n/statistics.ko.json'),
  en: () => import('../../shared/i18n/statistics.en.json'),
});
export type StatisticsText = TranslateWith<typeof statisticsTexts>;
