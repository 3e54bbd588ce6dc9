import { consentVersions } from '@mogakgong/contract';
import { pageTexts, usePageTexts } from '../../shared/i18n/texts.ts';
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

/** /terms inside the application: reached by a link from another page. */
export function TermsRoute() {
  const text = usePageTexts(terms);
  usePageTitle(text.title);
  return <LegalPage text={text} version={consentVersions.terms} />;
}

/** /privacy inside the application: reached by a link from another page. */
export function PrivacyRoute() {
  const text = usePageTexts(privacy);
  usePageTitle(text.title);
  return <LegalPage text={text} version={consentVersions.privacy} />;
}
