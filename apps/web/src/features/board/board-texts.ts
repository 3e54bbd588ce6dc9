import { pageTexts } from '../../shared/i18n/texts.ts';

/** The texts of the whiteboard. */
export const boardTexts = pageTexts({
  ko: () => import('../../shared/i18n/board.ko.json'),
  en: () => import('../../shared/i18n/board.en.json'),
});
