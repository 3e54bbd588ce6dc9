import { useSyncExternalStore } from 'react';
import { currentTheme, onThemeChange } from '../../shared/lib/theme.ts';

const DARK = '(prefers-color-scheme: dark)';
const FORCED_COLORS = '(forced-colors: active)';

function subscribe(listener: () => void): () => void {
  const stop = new AbortController();
  for (const query of [DARK, FORCED_COLORS]) {
    window.matchMedia(query).addEventListener('change', listener, { signal: stop.signal });
  }
  stop.signal.addEventListener('abort', onThemeChange(listener));
  return () => stop.abort();
}

/** Whether the page is dark, by the learner's choice, as a room or by the system's. */
export function useIsDark(): boolean {
  return useSyncExternalStore(subscribe, () => {
    // forced-colors.css
    if (window.matchMedia(FORCED_COLORS).matches) return window.matchMedia(DARK).matches;
    const theme = currentTheme();
    if (theme !== 'system') return theme === 'dark';
    return document.documentElement.hasAttribute('data-room') || window.matchMedia(DARK).matches;
  });
}
