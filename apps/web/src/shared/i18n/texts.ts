import { createContext, use, useSyncExternalStore } from 'react';
import { fillText, pluralKey, type TextValues } from './format.tsx';
import type ko from './ko.json';
import { initialLanguage, type Language, rememberLanguage } from './language.ts';

/** All texts of one language, by key; Korean decides which keys exist (a test compares them). */
export type Texts = Readonly<Record<keyof typeof ko, string>>;
type WithoutPlural<Key extends string> = Key extends `${infer Base}_${'one' | 'other'}`
  ? Base
  : Key;
/** Every text of ko.json; `x_one` and `x_other` are asked for as `x` with a `count`. */
export type TextKey = WithoutPlural<keyof typeof ko>;

/** Looks a text up and fills its places. */
export type Translate = (key: TextKey, values?: TextValues) => string;

interface Translation {
  readonly language: Language;
  readonly t: Translate;
}

const loaders: Readonly<Record<Language, () => Promise<{ default: Texts }>>> = {
  ko: () => import('./ko.json'),
  en: () => import('./en.json'),
};

/** The look-up of one language. */
export function createTranslation(language: Language, texts: Texts): Translation {
  const byKey: Readonly<Record<string, string>> = texts;
  const t: Translate = (key, values) => {
    const plural =
      typeof values?.count === 'number' ? byKey[pluralKey(key, language, values.count)] : undefined;
    return fillText(plural ?? byKey[`${key}_other`] ?? byKey[key] ?? key, values);
  };
  return { language, t };
}

/** Set while prerendering, where two languages are rendered by one process. */
export const TranslationContext = createContext<Translation | null>(null);

let current: Translation | undefined;
const listeners = new Set<() => void>();

async function load(language: Language): Promise<void> {
  const texts = (await loaders[language]()).default;
  current = createTranslation(language, texts);
  document.documentElement.lang = language;
  for (const listener of listeners) listener();
}

/** Loads the texts of the starting language; the application renders after it. */
export function startLanguage(): Promise<void> {
  return load(initialLanguage());
}

/** Switches the whole page to a language and remembers it. */
export async function chooseLanguage(language: Language): Promise<void> {
  await load(language);
  rememberLanguage(language);
}

function loaded(): Translation {
  if (!current) throw new Error('startLanguage() has not finished');
  return current;
}

/** A text outside React (stores, notices): in the language of this moment. */
export const translate: Translate = (key, values) => loaded().t(key, values);

/** The language of this moment, outside React. */
export function currentLanguage(): Language {
  return loaded().language;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** `t` and the language; renders again when the language changes. */
export function useTranslation(): Translation {
  const given = use(TranslationContext);
  const shown = useSyncExternalStore(
    subscribe,
    () => given ?? loaded(),
    () => given ?? loaded(),
  );
  return shown;
}
