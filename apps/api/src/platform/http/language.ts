import { LANGUAGE_COOKIE, type Language } from '@mogakgong/contract';

const chosenLanguage = new RegExp(
  `(?:^|;\\s*)${RegExp.escape(LANGUAGE_COOKIE)}=(ko|en)(?:;|$)`,
  'u',
);

interface LanguageHeaders {
  readonly cookie?: string | undefined;
  readonly 'accept-language'?: string | undefined;
}

function chosen({ cookie = '' }: LanguageHeaders): Language | undefined {
  return chosenLanguage.exec(cookie)?.[1] as Language | undefined;
}

/** The first of Korean and English in the header. */
function accepted(headers: LanguageHeaders): Language | undefined {
  const named = /(?:^|[\s,])(ko|en)\b/iu.exec(headers['accept-language'] ?? '');
  return named?.[1]?.toLowerCase() as Language | undefined;
}

/**
 * The language of a page or a connection: the learner's own choice (the cookie of the language switch), or
 * the browser's preference, or Korean.
 */
export function requestLanguage(headers: LanguageHeaders): Language {
  return chosen(headers) ?? accepted(headers) ?? 'ko';
}

/**
 * The language of an API call: its Accept-Language, which is the language of the calling page; the cookie is
 * shared with tabs that may show another.
 */
export function callLanguage(headers: LanguageHeaders): Language {
  return accepted(headers) ?? chosen(headers) ?? 'ko';
}
