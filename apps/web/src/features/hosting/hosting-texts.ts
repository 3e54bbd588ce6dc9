import { pageTexts } from '../../shared/i18n/texts.ts';

/** The texts of rooms with a host. */
export const hostingTexts = pageTexts({
  ko: () => import('../../shared/i18n/hosting.ko.json'),
  en: () => import('../../shared/i18n/hosting.en.json'),
});
