import { pageTexts } from '../../shared/i18n/texts.ts';

/** The texts of friends and requests. */
export const friendsTexts = pageTexts({
  ko: () => import('../../shared/i18n/friends.ko.json'),
  en: () => import('../../shared/i18n/friends.en.json'),
});
