import { useEffect } from 'react';
import { useTranslation } from '../i18n/texts.ts';

interface TitleParts {
  /** A temporary prefix of the title: a running clock. */
  readonly sign: string;
  /** A temporary replacement of the prefix: a reason to come back. */
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

/** Sets the title of tab and history entry: "title · 모각공"; without a title the brand alone. */
export function usePageTitle(title = ''): void {
  const { t } = useTranslation();
  const brand = t('brand.name');
  useEffect(() => show({ title, brand }), [title, brand]);
}

/** Sets a part of the page's title while the caller is mounted. */
export function useTitlePart(part: 'sign' | 'call', text: string): void {
  useEffect(() => show({ [part]: text }), [part, text]);
  useEffect(() => () => show({ [part]: '' }), [part]);
}
