import type { Language } from '@mogakgong/contract';

export type { Language };

/** Korean first: the default where the product has none of a visitor's languages. */
export const languages = ['ko', 'en'] as const satisfies readonly Language[];

/** A cookie rather than storage, so that the server sends prerendered pages in the same language. */
export const LANGUAGE_COOKIE = 'mogakgong.language';
const YEAR_SECONDS = 365 * 24 * 60 * 60;

function asLanguage(text: string | undefined): Language | undefined {
  return languages.find((language) => text?.toLowerCase().split('-')[0] === language);
}

/** The language to start with: the remembered one, else the browser's first supported one, else Korean. */
export function initialLanguage(): Language {
  const remembered = document.cookie
    .split('; ')
    .find((cookie) => cookie.startsWith(`${LANGUAGE_COOKIE}=`))
    ?.slice(LANGUAGE_COOKIE.length + 1);
  const wanted = [remembered, ...navigator.languages];
  return wanted.map(asLanguage).find((language) => language !== undefined) ?? 'ko';
}

/** Remembers the learner's choice in this browser. */
export function rememberLanguage(language: Language): void {
  // The Cookie Store API that the linter prefers is missing in browsers that we support.
  // biome-ignore lint/suspicious/noDocumentCookie: see above
  document.cookie = `${LANGUAGE_COOKIE}=${language}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}
