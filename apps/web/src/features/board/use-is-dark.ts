import { useSyncExternalStore } from 'react';
import { currentTheme, onThemeChange } from '../../shared/lib/theme.ts';

const DARK = '(prefers-color-scheme: dark)';

function subscribe(listener: () => void): () => void {
  const system = window.matchMedia(DARK);
  system.addEventListener('change', listener);
  const stop = onThemeChange(listener);
  return () => {
    system.removeEventListener('change', listener);
    stop();
  };
}

/** Whether the page is dark, by the learner's choice, as a room or by the system's. */
export function useIsDark(): boolean {
  return useSyncExternalStore(subscribe, () => {
    const theme = currentTheme();
    if (theme !== 'system') return theme === 'dark';
    return document.documentElement.hasAttribute('data-room') || window.matchMedia(DARK).matches;
  });
}
