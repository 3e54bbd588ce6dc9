import { pageTexts, type TranslateWith } from '../../shared/i18n/texts.ts';

/** The texts of `/moderation`. */
export const moderationTexts = pageTexts({
  ko: () => import('../../shared/i18n/moderation.ko.json'),
  en: () => import('../../shared/i18n/moderation.en.json'),
});
export type ModerationText = TranslateWith<typeof moderationTexts>;
