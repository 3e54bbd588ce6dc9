import { useEffect } from 'react';
import { useTranslation } from '../i18n/texts.ts';

interface TitleParts {
  /** What goes before everything else while it lasts: a running clock, a signal. */
  readonly sign: string;
  readonly title: string;
  readonly brand: string;
}

let parts: TitleParts = { sign: '', title: '', brand: '' };

function show(change: Partial<TitleParts>): void {
  parts = { ...parts, ...change };
  document.title = [parts.sign, parts.title, parts.brand].filter((part) => part !== '').join(' · ');
}

/** Names the page in the browser's tab and history: "title · 모각공"; without a title the brand alone. */
export function usePageTitle(title = ''): void {
  const { t } = useTranslation();
  const brand = t('brand.name');
  useEffect(() => show({ title, brand }), [title, brand]);
}

/** Puts a sign before the page's title for as long as the caller is shown. */
export function usePageSign(sign: string): void {
  useEffect(() => show({ sign }), [sign]);
  useEffect(() => () => show({ sign: '' }), []);
}
