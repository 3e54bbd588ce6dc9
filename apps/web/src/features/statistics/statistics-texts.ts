import type { TextValues } from '../../shared/i18n/format.tsx';
import { type PageTextKey, pageTexts, usePageText } from '../../shared/i18n/page-texts.ts';
import type ko from '../../shared/i18n/statistics.ko.json';

type StatisticsTexts = Readonly<Record<keyof typeof ko, string>>;
export type StatisticsText = (key: PageTextKey<StatisticsTexts>, values?: TextValues) => string;

const texts = pageTexts<StatisticsTexts>({
  ko: () => import('../../shared/i18n/statistics.ko.json'),
  en: () => import('../../shared/i18n/statistics.en.json'),
});

/** The look-up in the texts of statistics; suspends until they are there. */
export function useStatisticsText(): StatisticsText {
  return usePageText(texts);
}
