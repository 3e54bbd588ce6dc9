import { pageTexts } from '../../shared/i18n/texts.ts';

/** The texts of the learner's data decisions. */
export const ownDataTexts = pageTexts({
  ko: () => import('../../shared/i18n/own-data.ko.json'),
  en: () => import('../../shared/i18n/own-data.en.json'),
});
