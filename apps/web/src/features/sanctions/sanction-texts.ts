import type ko from '../../shared/i18n/sanctions.ko.json';
import { pageTexts } from '../../shared/i18n/texts.ts';

/** The texts of what was decided about a learner. */
export const sanctionTexts = pageTexts<Readonly<Record<keyof typeof ko, string>>>({
  ko: () => import('../../shared/i18n/sanctions.ko.json'),
  en: () => import('../../shared/i18n/sanctions.en.json'),
});
