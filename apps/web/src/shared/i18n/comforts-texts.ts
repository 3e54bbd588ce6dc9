import { pageTexts } from './texts.ts';

/** The texts about the blurred background, ambient sounds and the mini room. */
export const comfortsTexts = pageTexts({
  ko: () => import('./comforts.ko.json'),
  en: () => import('./comforts.en.json'),
});
