import type { Language } from '../i18n/language.ts';
import { chooseLanguage, translate } from '../i18n/texts.ts';
import { notify } from './notify.ts';

/** Switches the whole page to a language; says so where its texts cannot be had, and keeps the present one. */
export function switchLanguage(language: Language): void {
  chooseLanguage(language).catch(() => notify.toast(translate('header.languageFailed'), 'bad'));
}
