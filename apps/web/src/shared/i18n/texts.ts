import { createContext, use, useSyncExternalStore } from 'react';
import { createStore } from 'zustand/vanilla';
import type ko from './common.ko.json';
import { fillText, pluralKey, type TextValues } from './format.tsx';
import { initialLanguage, type Language, rememberLanguage } from './language.ts';

type WithoutPlural<Key> = Key extends `${infer Base}_${'one' | 'other'}` ? Base : Key;
/** The key by which a text is looked up: `x_one` and `x_other` as `x` with a `count`. */
type KeyOf<T> = Extract<WithoutPlural<keyof T>, string>;

/** All texts of one language, by key; Korean defines the keys (a test compares them). */
export type Texts = Readonly<Record<keyof typeof ko, string>>;
/** The texts available on every page. */
export type TextKey = KeyOf<Texts>;

/** Looks a text up and fills its placeholders. */
export type Translate<Key extends string = TextKey> = (key: Key, values?: TextValues) => string;

interface Translation<Key extends string = TextKey> {
  readonly language: Language;
  readonly t: Translate<Key>;
  readonly texts: Texts;
}

/** Texts that some pages download with them: one promise a language. */
export type PageTexts<T> = (language: Language) => Promise<T>;
/** Looks up the common texts and those of `Page`. */
export type TranslateWith<Page> =
  Page extends PageTexts<infer T> ? Translate<TextKey | KeyOf<T>> : never;

/** A failed download of texts is answered with its failure for this long, unless it is cleared. */
const FAILURE_KEPT_MS = 1_000;
/** Clear one failed download each. */
const failures = new Set<() => void>();
/** Texts of pages that were shown: a switch of the language needs them in the new one. */
const shownTexts = new Set<PageTexts<object>>();

type Loaders<T> = Readonly<Record<Language, () => Promise<{ default: T }>>>;

const loaders: Loaders<Texts> = {
  ko: () => import('./common.ko.json'),
  en: () => import('./common.en.json'),
};

/** Declares texts of pages; each language is downloaded once, when first shown. */
export function pageTexts<T extends object>(ofLanguage: Loaders<T>): PageTexts<T> {
  const loading = new Map<Language, Promise<T>>();
  const load = (language: Language) => {
    const known = loading.get(language);
    if (known) return known;
    const texts = ofLanguage[language]().then((module) => module.default);
    loading.set(language, texts);
    shownTexts.add(load);
    texts.catch(() => {
      const forget = () => {
        failures.delete(forget);
        if (loading.get(language) === texts) loading.delete(language);
      };
      // React asks once more on its own and must get the failure; later requests download again.
      failures.add(forget);
      setTimeout(forget, FAILURE_KEPT_MS);
    });
    return texts;
  };
  return load;
}

/** Lets failed texts be downloaded again on the next request. */
export function forgetFailedTexts(): void {
  for (const forget of failures) forget();
}

/** The look-up of one language. */
export function createTranslation(language: Language, texts: Texts): Translation {
  const byKey: Readonly<Record<string, string>> = texts;
  const t: Translate = (key, values) => {
    const count = values?.count;
    const form = typeof count === 'number' ? pluralKey(key, language, count) : key;
    return fillText(byKey[form] ?? byKey[`${key}_other`] ?? byKey[key] ?? key, values);
  };
  return { language, t, texts };
}

/** Set while prerendering, where two languages are rendered by one process. */
export const TranslationContext = createContext<Translation | null>(null);

const current = createStore<Translation | null>(() => null);
/** The look-ups with the texts of a page, by these texts. */
const extended = new WeakMap<object, Translation>();

async function load(language: Language): Promise<void> {
  const ofPages = [...shownTexts].map((texts) => texts(language));
  const [{ default: texts }] = await Promise.all([loaders[language](), ...ofPages]);
  document.documentElement.lang = language;
  current.setState(createTranslation(language, texts));
}

/** Loads the texts of the starting language; the application renders after it. */
export function startLanguage(): Promise<void> {
  return load(initialLanguage());
}

/**
 * Switches the whole page to a language and remembers it.
 * @throws when its texts cannot be downloaded; the language then stays.
 */
export async function chooseLanguage(language: Language): Promise<void> {
  forgetFailedTexts();
  await load(language);
  rememberLanguage(language);
}

function loaded() {
  const state = current.getState();
  if (state === null) throw new Error('startLanguage() has not finished');
  return state;
}

/** A text outside React (stores, notices), in the current language. */
export const translate: Translate = (key, values) => loaded().t(key, values);

/** The current language, outside React. */
export function currentLanguage(): Language {
  return loaded().language;
}

/**
 * `t` and the language; renders again when the language changes. With the texts of a page it looks these up
 * too, and suspends until they are loaded.
 */
export function useTranslation(): Translation;
export function useTranslation<T extends object>(
  page: PageTexts<T>,
): Translation<TextKey | KeyOf<T>>;
export function useTranslation(page?: PageTexts<object>): Translation {
  const given = use(TranslationContext);
  const shown = useSyncExternalStore(
    current.subscribe,
    () => given ?? loaded(),
    () => given ?? loaded(),
  );
  if (page === undefined) return shown;
  return extendedBy(shown, use(page(shown.language)));
}

/** The same outside React, in the current language; rejects when they cannot be downloaded. */
export function translationWith<T extends object>(
  page: PageTexts<T>,
): Promise<Translation<TextKey | KeyOf<T>>>;
export async function translationWith(page: PageTexts<object>): Promise<Translation> {
  return extendedBy(loaded(), await page(currentLanguage()));
}

function extendedBy({ language, texts }: Translation, own: object): Translation {
  const known = extended.get(own);
  if (known) return known;
  const translation = createTranslation(language, { ...texts, ...own });
  extended.set(own, translation);
  return translation;
}

/** The raw texts of a page, where no look-up is needed; suspends until they are loaded. */
export function usePageTexts<T>(page: PageTexts<T>): T {
  return use(page(useTranslation().language));
}
