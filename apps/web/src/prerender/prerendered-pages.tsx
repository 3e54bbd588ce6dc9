import { consentVersions } from '@mogakgong/contract';
import type { ReactNode } from 'react';
import { LandingPage } from '../pages/landing/landing-page.tsx';
import { LegalPage, type LegalText } from '../pages/legal/legal-page.tsx';
import { NotFoundPage } from '../pages/not-found/not-found-page.tsx';
import enDeveloper from '../shared/i18n/developer.en.json';
import koDeveloper from '../shared/i18n/developer.ko.json';
import enTexts from '../shared/i18n/en.json';
import enFocus from '../shared/i18n/focus.en.json';
import koFocus from '../shared/i18n/focus.ko.json';
import koTexts from '../shared/i18n/ko.json';
import enLanding from '../shared/i18n/landing.en.json';
import koLanding from '../shared/i18n/landing.ko.json';
import type { Language } from '../shared/i18n/language.ts';
import enPrivacy from '../shared/i18n/privacy.en.json';
import koPrivacy from '../shared/i18n/privacy.ko.json';
import enStatistics from '../shared/i18n/statistics.en.json';
import koStatistics from '../shared/i18n/statistics.ko.json';
import enTerms from '../shared/i18n/terms.en.json';
import koTerms from '../shared/i18n/terms.ko.json';
import type { Texts } from '../shared/i18n/texts.ts';
import enTitles from '../shared/i18n/titles.en.json';
import koTitles from '../shared/i18n/titles.ko.json';
import { paths } from '../shared/lib/paths.ts';

/** What prerendering needs to know about one page in one language. */
export interface PrerenderedPage {
  /** Its address; `null` for the page that answers every unknown address. */
  readonly path: string | null;
  /** First part of its file names. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly content: ReactNode;
}

interface LanguageTexts {
  readonly app: Texts;
  readonly developer: typeof koDeveloper;
  readonly focus: typeof koFocus;
  readonly landing: typeof koLanding;
  readonly statistics: typeof koStatistics;
  readonly titles: typeof koTitles;
  readonly terms: LegalText;
  readonly privacy: LegalText;
}

/** Every text of every language, for the build only. */
export const allTexts: Readonly<Record<Language, LanguageTexts>> = {
  ko: {
    app: koTexts,
    developer: koDeveloper,
    focus: koFocus,
    landing: koLanding,
    statistics: koStatistics,
    titles: koTitles,
    terms: koTerms,
    privacy: koPrivacy,
  },
  en: {
    app: enTexts,
    developer: enDeveloper,
    focus: enFocus,
    landing: enLanding,
    statistics: enStatistics,
    titles: enTitles,
    terms: enTerms,
    privacy: enPrivacy,
  },
};

/** The pages that are sent as finished HTML: open to all, the same for everybody. */
export function prerenderedPages({ app, landing, terms, privacy }: LanguageTexts) {
  const legalTitle = (text: LegalText) => `${text.title} · ${app['brand.name']}`;
  return [
    {
      path: paths.landing,
      name: 'landing',
      title: landing['meta.title'],
      description: landing['meta.description'],
      content: <LandingPage texts={landing} />,
    },
    {
      path: paths.terms,
      name: 'terms',
      title: legalTitle(terms),
      description: terms.description,
      content: <LegalPage text={terms} version={consentVersions.terms} />,
    },
    {
      path: paths.privacy,
      name: 'privacy',
      title: legalTitle(privacy),
      description: privacy.description,
      content: <LegalPage text={privacy} version={consentVersions.privacy} />,
    },
    {
      path: null,
      name: 'not-found',
      title: `${app['notFound.title']} · ${app['brand.name']}`,
      description: app['notFound.text'],
      content: <NotFoundPage />,
    },
  ] satisfies readonly PrerenderedPage[];
}
