import { use, useMemo } from 'react';
import { fillText, pluralKey, type TextValues } from './format.tsx';
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

type WithoutPlural<Key> = Key extends `${infer Base}_${'one' | 'other'}` ? Base : Key;
/** What is asked for of such texts; `x_one` and `x_other` as `x` with a `count`. */
export type PageTextKey<T> = Extract<WithoutPlural<keyof T>, string>;

/** The look-up in flat texts of a page, in the shown language; suspends until they are there. */
export function usePageText<T extends Readonly<Record<string, string>>>(
  texts: PageTexts<T>,
): (key: PageTextKey<T>, values?: TextValues) => string {
  const { language } = useTranslation();
  const byKey: Readonly<Record<string, string>> = use(texts(language));
  return useMemo(
    () => (key, values) => {
      const count = values?.count;
      const form = typeof count === 'number' ? pluralKey(key, language, count) : key;
      return fillText(byKey[form] ?? byKey[`${key}_other`] ?? byKey[key] ?? key, values);
    },
    [byKey, language],
  );
}
