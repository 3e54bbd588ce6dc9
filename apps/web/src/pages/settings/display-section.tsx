import { useSyncExternalStore } from 'react';
import { ShortcutsSwitch } from '../../features/focus/shortcuts-help.tsx';
import { SavingChoice } from '../../features/media/saving-choice.tsx';
import { languages } from '../../shared/i18n/language.ts';
import { accountTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { chooseTheme, currentTheme, onThemeChange, themes } from '../../shared/lib/theme.ts';
import { Choice } from '../../shared/ui/choice.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { switchLanguage } from '../../shared/ui/switch-language.ts';

/** Settings kept in this browser: theme and language, as in the header, and the room's. */
export function DisplaySection() {
  const { t, language } = useTranslation(accountTexts);
  const theme = useSyncExternalStore(onThemeChange, currentTheme);
  return (
    <>
      <Panel title={t('display.appearance')}>
        <Choice
          label={t('display.theme')}
          options={themes.map((value) => ({ value, label: t(`display.theme.${value}`) }))}
          value={theme}
          onChange={chooseTheme}
        />
        <Choice
          label={t('display.language')}
          options={languages.map((value) => ({
            value,
            label: t(`display.language.${value}`),
          }))}
          value={language}
          onChange={switchLanguage}
        />
      </Panel>
      <Panel title={t('display.room')}>
        <SavingChoice />
        <ShortcutsSwitch note={t('display.shortcuts')} />
      </Panel>
    </>
  );
}
