import { useEffect } from 'react';
import { openTexts } from '../../shared/i18n/namespaces.ts';
import { usePageTexts, useTranslation } from '../../shared/i18n/texts.ts';
import { usePageTitle } from '../../shared/ui/page-title.ts';
import { LandingPage } from './landing-page.tsx';
import { showLiveCount } from './live-count.ts';

/** The landing page inside the application: reached by a link from another page. */
export function LandingRoute() {
  const texts = usePageTexts(openTexts).landing;
  const { language } = useTranslation();
  usePageTitle();
  useEffect(() => void showLiveCount(document), []);
  return <LandingPage key={language} texts={texts} />;
}
