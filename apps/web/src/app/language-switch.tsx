import { chooseLanguage, useTranslation } from '../shared/i18n/texts.ts';

/**
 * Switches to the other language; its label is in that language.
 * `data-language` tells the script of prerendered pages what to remember.
 */
export function LanguageSwitch() {
  const { t, language } = useTranslation();
  const other = language === 'ko' ? 'en' : 'ko';
  return (
    <button
      type="button"
      lang={other}
      data-language={other}
      className="grid size-11 place-items-center rounded-full font-semibold text-ink-soft text-small hover:bg-raised hover:text-ink"
      onClick={() => void chooseLanguage(other)}
    >
      <span aria-hidden="true">{other === 'ko' ? '한' : 'EN'}</span>
      <span className="sr-only">{t('header.language')}</span>
    </button>
  );
}
