import { LANGUAGE_COOKIE, type Language } from '@mogakgong/contract';

const chosenLanguage = new RegExp(
  `(?:^|;\\s*)${RegExp.escape(LANGUAGE_COOKIE)}=(ko|en)(?:;|$)`,
  'u',
);

/**
 * The language a request asks for: the learner's own choice (the cookie the switch sets), else the
 * first of Korean and English in Accept-Language, else Korean.
 */
export function requestLanguage(headers: {
  readonly cookie?: string | undefined;
  readonly 'accept-language'?: string | undefined;
}): Language {
  const chosen = chosenLanguage.exec(headers.cookie ?? '');
  if (chosen) return chosen[1] as Language;
  const preferred = /(?:^|[\s,])(ko|en)\b/iu.exec(headers['accept-language'] ?? '');
  return preferred?.[1]?.toLowerCase() === 'en' ? 'en' : 'ko';
}
