import type ko from '../../shared/i18n/own-data.ko.json';
import { pageTexts } from '../../shared/i18n/texts.ts';

/** The texts of what learners decide about their data. */
export const ownDataTexts = pageTexts<Readonly<Record<keyof typeof ko, string>>>({
  ko: () => import('../../shared/i18n/own-data.ko.json'),
  en: () => import('../../shared/i18n/own-data.en.json'),
});
