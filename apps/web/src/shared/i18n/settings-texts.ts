import { pageTexts } from './texts.ts';

export const settingsTexts = pageTexts({
  ko: () => import('./settings.ko.json'),
  en: () => import('./settings.en.json'),
});
