import { pageTexts } from './texts.ts';

/** The texts about what a learner studies. */
export const subjectsTexts = pageTexts({
  ko: () => import('./subjects.ko.json'),
  en: () => import('./subjects.en.json'),
});
