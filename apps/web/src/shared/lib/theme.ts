import { storageKeys } from './storage-keys.ts';
import { writeStored } from './stored.ts';

/** `system` follows the operating system. */
export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

/** The theme that the learner chose in this browser. */
export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** Applies the theme after the present one, and remembers it in this browser. */
export function chooseNextTheme(): void {
  const theme = themes[(themes.indexOf(currentTheme()) + 1) % themes.length] ?? 'system';
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // Read before the first paint by public/theme.js too.
  writeStored(storageKeys.theme, theme === 'system' ? null : theme);
}
