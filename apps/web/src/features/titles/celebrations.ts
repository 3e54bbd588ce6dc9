import type { WonTitle } from '@mogakgong/contract';

/** Long enough to read two short lines. */
const SHOWN_MS = 8_000;

let won: readonly WonTitle[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function set(titles: readonly WonTitle[]): void {
  won = titles;
  for (const listener of [...listeners]) listener();
}

/** Shows for some seconds that a title was won; what is won meanwhile is shown with it. */
export function celebrateTitle(title: WonTitle): void {
  if (won.some(({ titleId }) => titleId === title.titleId)) return;
  set([...won, title]);
  clearTimeout(timer);
  timer = setTimeout(endCelebration, SHOWN_MS);
}

/** Shows nothing any more. */
export function endCelebration(): void {
  clearTimeout(timer);
  if (won.length > 0) set([]);
}

/** The titles that are shown as just won. */
export const wonTitles = (): readonly WonTitle[] => won;

/** For `useSyncExternalStore`. */
export function subscribeToWonTitles(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
