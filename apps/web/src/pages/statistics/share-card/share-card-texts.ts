import { pageTexts } from '../../../shared/i18n/texts.ts';

export const shareCardTexts = pageTexts({
  ko: () => import('../../../shared/i18n/share-card.ko.json'),
  en: () => import('../../../shared/i18n/share-card.en.json'),
});
