import { pageTexts } from './texts.ts';

/** The texts about subjects. */
export const subjectsTexts = pageTexts({
  ko: () => import('./subjects.ko.json'),
  en: () => import('./subjects.en.json'),
});
