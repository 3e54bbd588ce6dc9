import { pageTexts } from '../../shared/i18n/texts.ts';

/** The texts of what learners decide about their data. */
export const ownDataTexts = pageTexts({
  ko: () => import('../../shared/i18n/own-data.ko.json'),
  en: () => import('../../shared/i18n/own-data.en.json'),
});
