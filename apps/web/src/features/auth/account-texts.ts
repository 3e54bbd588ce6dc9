import type ko from '../../shared/i18n/account.ko.json';
import { pageTexts } from '../../shared/i18n/texts.ts';

/** The texts of log-ins and passwords. */
export const accountTexts = pageTexts<Readonly<Record<keyof typeof ko, string>>>({
  ko: () => import('../../shared/i18n/account.ko.json'),
  en: () => import('../../shared/i18n/account.en.json'),
});
