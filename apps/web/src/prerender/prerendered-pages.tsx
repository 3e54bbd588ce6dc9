import { LandingPage } from '../pages/landing/landing-page.tsx';
import { LegalPage, type LegalText } from '../pages/legal/legal-page.tsx';
import { NotFoundPage } from '../pages/not-found/not-found-page.tsx';
import enAccount from '../shared/i18n/account.en.json';
import koAccount from '../shared/i18n/account.ko.json';
import enDescriptions from '../shared/i18n/descriptions.en.json';
import koDescriptions from '../shared/i18n/descriptions.ko.json';
import enDiagnostics from '../shared/i18n/diagnostics.en.json';
import koDiagnostics from '../shared/i18n/diagnostics.ko.json';
import enTexts from '../shared/i18n/en.json';
import koTexts from '../shared/i18n/ko.json';
import enLanding from '../shared/i18n/landing.en.json';
import koLanding from '../shared/i18n/landing.ko.json';
import type { Language } from '../shared/i18n/language.ts';
import enPrivacy from '../shared/i18n/privacy.en.json';
import koPrivacy from '../shared/i18n/privacy.ko.json';
import enTerms from '../shared/i18n/terms.en.json';
import koTerms from '../shared/i18n/terms.ko.json';
import { paths } from '../shared/lib/paths.ts';

/** The texts of prerendered pages, for the build only. */
export const allTexts = {
  ko: {
    app: koTexts,
    landing: koLanding,
    terms: koTerms,
    privacy: koPrivacy,
    account: koAccount,
    diagnostics: koDiagnostics,
    descriptions: koDescriptions,
  },
  en: {
    app: enTexts,
    landing: enLanding,
    terms: enTerms,
    privacy: enPrivacy,
    account: enAccount,
    diagnostics: enDiagnostics,
    descriptions: enDescriptions,
  },
} satisfies Readonly<Record<Language, object>>;

/**
 * The pages that are sent as finished HTML: public and the same for everybody. `name` is the prefix of their
 * file names; `path` is null for the page that answers every unknown address.
 */
export function prerenderedPages(language: Language) {
  const { app, landing, terms, privacy } = allTexts[language];
  const legal = (name: 'terms' | 'privacy', text: LegalText) => ({
    path: paths[name],
    name,
    title: `${text.title} · ${app['brand.name']}`,
    description: text.description,
    content: <LegalPage name={name} text={text} />,
  });
  return [
    {
      path: paths.landing,
      name: 'landing',
      title: landing['meta.title'],
      description: landing['meta.description'],
      content: <LandingPage texts={landing} />,
    },
    legal('terms', terms),
    legal('privacy', privacy),
    {
      path: null,
      name: 'not-found',
      title: `${app['notFound.title']} · ${app['brand.name']}`,
      description: app['notFound.text'],
      content: <NotFoundPage />,
    },
  ];
}
