import { storageKeys } from './storage-keys.ts';
import { writeStored } from './stored.ts';

/**
 * `system` follows the operating system, except that a room is dark. public/theme.js applies the choice
 * before the first paint of every page, together with marks for a logged-in learner, a token in the address
 * and a room page; the room mark follows the router, which reports its own changes of the address as events.
 * The browser bar's colour follows theme and room. It is a separate file because the content policy allows no
 * inline script, and short because every page waits for it. Keys: storage-keys.ts.
 */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** The theme that the learner chose in this browser. */
export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

const listeners = new Set<() => void>();

/** Calls back after every change of the theme on this page. Returns a cleanup function. */
export function onThemeChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Applies a theme, and remembers it in this browser. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // Read before the first paint by public/theme.js too.
  writeStored(storageKeys.theme, theme === 'system' ? null : theme);
  for (const listener of listeners) listener();
}

/** Applies the next theme. */
export function chooseNextTheme(): void {
  chooseTheme(themes[(themes.indexOf(currentTheme()) + 1) % themes.length] ?? 'system');
}
