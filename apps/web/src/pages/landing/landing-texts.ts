import type ko from '../../shared/i18n/landing.ko.json';
import { pageTexts } from '../../shared/i18n/texts.ts';

/** The landing page's texts: no part of the application's download. */
export const landingTexts = pageTexts({
  ko: () => import('../../shared/i18n/landing.ko.json'),
  en: () => import('../../shared/i18n/landing.en.json'),
});

/** What every section of the page is given. */
export interface LandingSection {
  readonly texts: Readonly<Record<keyof typeof ko, string>>;
}
