import type ko from '../../shared/i18n/landing.ko.json';
import { pageTexts } from '../../shared/i18n/texts.ts';

/** The landing page's texts, not part of the application's download. */
export const landingTexts = pageTexts({
  ko: () => import('../../shared/i18n/landing.ko.json'),
  en: () => import('../../shared/i18n/landing.en.json'),
});

/** The props of every section of the page. */
export interface LandingSection {
  readonly texts: Readonly<Record<keyof typeof ko, string>>;
}
