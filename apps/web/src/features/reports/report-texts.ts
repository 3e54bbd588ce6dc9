import { pageTexts } from '../../shared/i18n/texts.ts';

export const reportTexts = pageTexts({
  ko: () => import('../../shared/i18n/reports.ko.json'),
  en: () => import('../../shared/i18n/reports.en.json'),
});
