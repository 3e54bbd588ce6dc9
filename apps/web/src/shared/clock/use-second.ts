import { useSyncExternalStore } from 'react';
import { onSecond, shownSecondMs } from './ticker.ts';

/**
 * What `read` makes of the second that the page shows. Renders again only when that is another, so a
 * clock that stands costs nothing.
 */
export function useSecond<T extends string | number | boolean | null>(
  read: (serverNowMs: number) => T,
): T {
  return useSyncExternalStore(onSecond, () => read(shownSecondMs()));
}
