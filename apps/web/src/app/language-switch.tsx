import { useTranslation } from '../shared/i18n/texts.ts';
import { RoundButton } from '../shared/ui/button.tsx';
import { switchLanguage } from '../shared/ui/switch-language.ts';

/**
 * Switches to the other language; its label is in that language.
 * `data-language` tells the script of prerendered pages what to remember.
 */
export function LanguageSwitch() {
  const { t, language } = useTranslation();
  const other = language === 'ko' ? 'en' : 'ko';
  return (
    <RoundButton
      lang={other}
      data-language={other}
      className="font-semibold text-small"
      onClick={() => switchLanguage(other)}
    >
      <span aria-hidden="true">{other === 'ko' ? '한' : 'EN'}</span>
      <span className="sr-only">{t('header.language')}</span>
    </RoundButton>
  );
}
