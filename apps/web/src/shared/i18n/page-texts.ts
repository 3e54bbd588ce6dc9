import { use } from 'react';
import type { Language } from './language.ts';
import { useTranslation } from './texts.ts';

/** Texts that only one page needs and downloads with it: one promise a language. */
export type PageTexts<T> = (language: Language) => Promise<T>;

/** Declares such texts; each language is downloaded once, when it is first shown. */
export function pageTexts<T>(
  loaders: Readonly<Record<Language, () => Promise<{ default: T }>>>,
): PageTexts<T> {
  const loading = new Map<Language, Promise<T>>();
  return (language) => {
    const texts = loading.get(language) ?? loaders[language]().then((module) => module.default);
    loading.set(language, texts);
    return texts;
  };
}

/** The texts in the shown language; suspends until they are there. */
export function usePageTexts<T>(texts: PageTexts<T>): T {
  const { language } = useTranslation();
  return use(texts(language));
}
