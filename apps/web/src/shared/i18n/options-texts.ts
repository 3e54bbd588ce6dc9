import { pageTexts } from './texts.ts';

/** The texts of the panel with the learner's settings of the room. */
export const optionsTexts = pageTexts({
  ko: () => import('./options.ko.json'),
  en: () => import('./options.en.json'),
});
