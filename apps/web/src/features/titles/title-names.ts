import { findTitle, type WornTitle } from '@mogakgong/contract';
import type { Language } from '../../shared/i18n/language.ts';

/** A title's name in a language, from the catalogue; a title unknown to this version keeps its own. */
export function titleName(title: WornTitle, language: Language): string {
  return findTitle(title.key)?.[language].name ?? title.name;
}
