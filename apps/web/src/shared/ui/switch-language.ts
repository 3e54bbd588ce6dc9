import type { Language } from '../i18n/language.ts';
import { chooseLanguage, translate } from '../i18n/texts.ts';
import { notify } from './notify.ts';

/** Switches the whole page to a language; if its texts cannot be loaded, says so and keeps the current one. */
export function switchLanguage(language: Language): void {
  chooseLanguage(language).catch(() => notify.toast(translate('header.languageFailed'), 'bad'));
}
