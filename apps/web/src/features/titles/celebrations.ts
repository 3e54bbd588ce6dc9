import type { WonTitle } from '@mogakgong/contract';
import { create } from 'zustand';

/** Long enough to read two short lines. */
const SHOWN_MS = 8_000;

/** The titles that are shown as just won. */
export const useWonTitles = create<readonly WonTitle[]>()(() => []);

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows for some seconds that a title was won; titles won meanwhile are added. */
export function celebrateTitle(title: WonTitle): void {
  const won = useWonTitles.getState();
  if (won.some(({ titleId }) => titleId === title.titleId)) return;
  useWonTitles.setState([...won, title], true);
  clearTimeout(timer);
  timer = setTimeout(endCelebration, SHOWN_MS);
}

export function endCelebration(): void {
  clearTimeout(timer);
  useWonTitles.setState([], true);
}
