import { pageTexts } from '../../shared/i18n/texts.ts';

/** The texts of the open chat. */
export const chatTexts = pageTexts({
  ko: () => import('../../shared/i18n/chat.ko.json'),
  en: () => import('../../shared/i18n/chat.en.json'),
});
