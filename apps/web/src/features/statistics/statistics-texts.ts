import type ko from '../../shared/i18n/statistics.ko.json';
import { pageTexts, type TranslateWith } from '../../shared/i18n/texts.ts';

/** The texts of statistics. */
export const statisticsTexts = pageTexts<Readonly<Record<keyof typeof ko, string>>>({
  ko: () => import('../../shared/i18n/statistics.ko.json'),
  en: () => import('../../shared/i18n/statistics.en.json'),
});
export type StatisticsText = TranslateWith<typeof statisticsTexts>;
