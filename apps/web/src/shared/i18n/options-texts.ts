import { pageTexts } from './texts.ts';

/** The texts of the panel in which learners choose how the room is for them. */
export const optionsTexts = pageTexts({
  ko: () => import('./options.ko.json'),
  en: () => import('./options.en.json'),
});
