import { pageTexts } from '../../shared/i18n/texts.ts';

export const mainTexts = pageTexts({
  ko: () => import('../../shared/i18n/main.ko.json'),
  en: () => import('../../shared/i18n/main.en.json'),
});
