import { useEffect } from 'react';
import { useTranslation } from '../i18n/texts.ts';

interface TitleParts {
  /** What goes before the title while it lasts: a running clock. */
  readonly sign: string;
  /** What takes the sign's place while it lasts: something to come back for. */
  readonly call: string;
  readonly title: string;
  readonly brand: string;
}

let parts: TitleParts = { sign: '', call: '', title: '', brand: '' };

function show(change: Partial<TitleParts>): void {
  parts = { ...parts, ...change };
  const shown = [parts.call || parts.sign, parts.title, parts.brand];
  document.title = shown.filter((part) => part !== '').join(' · ');
}

/** Names the page in the browser's tab and history: "title · 모각공"; without a title the brand alone. */
export function usePageTitle(title = ''): void {
  const { t } = useTranslation();
  const brand = t('brand.name');
  useEffect(() => show({ title, brand }), [title, brand]);
}

/** Sets a part of the page's title for as long as the caller is shown. */
export function useTitlePart(part: 'sign' | 'call', text: string): void {
  useEffect(() => show({ [part]: text }), [part, text]);
  useEffect(() => () => show({ [part]: '' }), [part]);
}
