import { type PageTexts, pageTexts, usePageTexts } from '../../shared/i18n/texts.ts';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { LegalPage, type LegalText } from './legal-page.tsx';

const terms = pageTexts<LegalText>({
  ko: () => import('../../shared/i18n/terms.ko.json'),
  en: () => import('../../shared/i18n/terms.en.json'),
});
const privacy = pageTexts<LegalText>({
  ko: () => import('../../shared/i18n/privacy.ko.json'),
  en: () => import('../../shared/i18n/privacy.en.json'),
});

/** A legal text inside the application: reached by a link from another page. */
const legalRoute = (name: 'terms' | 'privacy', texts: PageTexts<LegalText>) => () => {
  const text = usePageTexts(texts);
  usePageTitle(text.title);
  return <LegalPage name={name} text={text} />;
};

export const TermsRoute = legalRoute('terms', terms);
export const PrivacyRoute = legalRoute('privacy', privacy);
