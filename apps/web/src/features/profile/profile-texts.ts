import { pageTexts } from '../../shared/i18n/texts.ts';

export const profileTexts = pageTexts({
  ko: () => import('../../shared/i18n/profile.ko.json'),
  en: () => import('../../shared/i18n/profile.en.json'),
});
