import { pageTexts } from '../../shared/i18n/texts.ts';

export const settingsTexts = pageTexts({
  ko: () => import('../../shared/i18n/settings.ko.json'),
  en: () => import('../../shared/i18n/settings.en.json'),
});
