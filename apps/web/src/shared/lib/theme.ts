import { storageKeys } from './storage-keys.ts';
import { writeStored } from './stored.ts';

/** `system` follows the operating system. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Read before the first paint by public/theme.js too. */
export const THEME_STORAGE_KEY = storageKeys.theme;

const listeners = new Set<() => void>();

/** The theme that the learner chose in this browser. */
export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** Applies a theme and remembers it in this browser. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  writeStored(THEME_STORAGE_KEY, theme === 'system' ? null : theme);
  for (const listener of listeners) listener();
}

/** The theme that one more press of the theme switch chooses. */
export function nextTheme(theme: Theme): Theme {
  return themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system';
}

/** For `useSyncExternalStore`. */
export function subscribeToTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
