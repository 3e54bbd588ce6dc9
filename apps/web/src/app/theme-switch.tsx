import { useTranslation } from '../shared/i18n/texts.ts';
import { chooseNextTheme, themes } from '../shared/lib/theme.ts';
import { RoundButton } from '../shared/ui/button.tsx';
import { themeIcons } from '../shared/ui/theme-icons.ts';

/**
 * Cycles through the themes: system, light, dark. All three labels are in the page, and base.css shows the
 * one that `<html data-theme>` names, so that prerendered pages show the right one before any script runs.
 */
export function ThemeSwitch() {
  const { t } = useTranslation();
  return (
    <RoundButton data-theme-switch="" onClick={chooseNextTheme}>
      {themes.map((name) => {
        const Icon = themeIcons[name];
        return (
          <span key={name} data-shown-in={name}>
            <Icon size={20} aria-hidden="true" />
            <span className="sr-only">{t(`header.theme.${name}`)}</span>
          </span>
        );
      })}
    </RoundButton>
  );
}
