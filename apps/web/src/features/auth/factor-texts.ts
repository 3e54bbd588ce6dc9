import { pageTexts } from '../../shared/i18n/texts.ts';

/** The texts of second factors and passkeys. */
export const factorTexts = pageTexts({
  ko: () => import('../../shared/i18n/factors.ko.json'),
  en: () => import('../../shared/i18n/factors.en.json'),
});
