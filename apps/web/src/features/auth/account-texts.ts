import { pageTexts } from '../../shared/i18n/texts.ts';

/** The texts of log-ins and passwords. */
export const accountTexts = pageTexts({
  ko: () => import('../../shared/i18n/account.ko.json'),
  en: () => import('../../shared/i18n/account.en.json'),
});
