import { useSyncExternalStore } from 'react';
import { currentTheme, subscribeToTheme, type Theme } from './theme.ts';

/** The chosen theme; `system` where there is no document (prerendering). */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribeToTheme, currentTheme, () => 'system');
}
