import { openTexts } from '../../shared/i18n/namespaces.ts';
import { usePageTexts } from '../../shared/i18n/texts.ts';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { LegalPage } from './legal-page.tsx';

/** A legal text inside the application: reached by a link from another page. */
const legalRoute = (name: 'terms' | 'privacy') => () => {
  const text = usePageTexts(openTexts)[name];
  usePageTitle(text.title);
  return <LegalPage name={name} text={text} />;
};

export const TermsRoute = legalRoute('terms');
export const PrivacyRoute = legalRoute('privacy');
