import { pageTexts } from '../../shared/i18n/texts.ts';

/** The texts of the steps after the provider's page, and of linked log-ins. */
export const socialTexts = pageTexts({
  ko: () => import('../../shared/i18n/social.ko.json'),
  en: () => import('../../shared/i18n/social.en.json'),
});
