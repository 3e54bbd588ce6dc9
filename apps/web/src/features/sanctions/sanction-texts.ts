import { pageTexts } from '../../shared/i18n/texts.ts';

/** The texts of decisions about a learner. */
export const sanctionTexts = pageTexts({
  ko: () => import('../../shared/i18n/sanctions.ko.json'),
  en: () => import('../../shared/i18n/sanctions.en.json'),
});
