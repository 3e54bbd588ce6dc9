import { pageTexts } from '../../shared/i18n/texts.ts';

/** The texts of `/support`. */
export const supportTexts = pageTexts({
  ko: () => import('../../shared/i18n/support.ko.json'),
  en: () => import('../../shared/i18n/support.en.json'),
});
