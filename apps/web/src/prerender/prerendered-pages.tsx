import { LandingPage } from '../pages/landing/landing-page.tsx';
import { LegalPage, type LegalText } from '../pages/legal/legal-page.tsx';
import { NotFoundPage } from '../pages/not-found/not-found-page.tsx';
import enAccount from '../shared/i18n/account.en.json';
import koAccount from '../shared/i18n/account.ko.json';
import enCommon from '../shared/i18n/common.en.json';
import koCommon from '../shared/i18n/common.ko.json';
import type { Language } from '../shared/i18n/language.ts';
import enOpen from '../shared/i18n/open.en.json';
import koOpen from '../shared/i18n/open.ko.json';
import { paths } from '../shared/lib/paths.ts';

/** The texts of prerendered pages, for the build only. */
export const allTexts = {
  ko: { common: koCommon, account: koAccount, ...koOpen },
  en: { common: enCommon, account: enAccount, ...enOpen },
} satisfies Readonly<Record<Language, object>>;

/**
 * The pages that are sent as finished HTML: public and the same for everybody. `name` is the prefix of their
 * file names; `path` is null for the page that answers every unknown address.
 */
export function prerenderedPages(language: Language) {
  const { common, landing, terms, privacy } = allTexts[language];
  const legal = (name: 'terms' | 'privacy', text: LegalText) => ({
    path: paths[name],
    name,
    title: `${text.title} · ${common['brand.name']}`,
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
      title: `${common['notFound.title']} · ${common['brand.name']}`,
      description: common['notFound.text'],
      content: <NotFoundPage />,
    },
  ];
}
