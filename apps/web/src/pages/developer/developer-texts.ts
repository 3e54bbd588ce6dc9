import type ko from '../../shared/i18n/developer.ko.json';
import { pageTexts, usePageTexts } from '../../shared/i18n/texts.ts';

type DeveloperTexts = Readonly<Record<keyof typeof ko, string>>;

const texts = pageTexts<DeveloperTexts>({
  ko: () => import('../../shared/i18n/developer.ko.json'),
  en: () => import('../../shared/i18n/developer.en.json'),
});

/** The texts of the developer pages; suspends until they are there. */
export function useDeveloperTexts(): DeveloperTexts {
  return usePageTexts(texts);
}
