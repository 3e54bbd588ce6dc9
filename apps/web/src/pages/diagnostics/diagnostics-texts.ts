import { pageTexts } from '../../shared/i18n/texts.ts';

/** The texts of `/diagnostics`. */
export const diagnosticsTexts = pageTexts({
  ko: () => import('../../shared/i18n/diagnostics.ko.json'),
  en: () => import('../../shared/i18n/diagnostics.en.json'),
});
