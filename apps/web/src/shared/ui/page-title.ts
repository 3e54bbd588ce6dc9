import { useEffect } from 'react';
import { useTranslation } from '../i18n/texts.ts';

/** Names the page in the browser's tab and history: "title · 모각공"; without a title the brand alone. */
export function usePageTitle(title?: string): void {
  const { t } = useTranslation();
  const brand = t('brand.name');
  useEffect(() => {
    document.title = title ? `${title} · ${brand}` : brand;
  }, [title, brand]);
}
