import { useSyncExternalStore } from 'react';
import { translate } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';

/** False where the browser has no full screen, as on an iPhone. */
export const canFillScreen = () => document.fullscreenEnabled === true;

const isFull = () => Boolean(document.fullscreenElement);

function onChange(act: () => void): () => void {
  document.addEventListener('fullscreenchange', act);
  return () => document.removeEventListener('fullscreenchange', act);
}

/** Whether the page fills the screen by `toggleFullScreen`. */
export function useIsFullScreen(): boolean {
  return useSyncExternalStore(onChange, isFull);
}

/** The whole page fills the screen, so that windows and messages are seen there too. */
export async function toggleFullScreen(): Promise<void> {
  if (!canFillScreen()) return;
  try {
    await (isFull() ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  } catch {
    notify.toast(translate('room.noFullScreen'), 'bad');
  }
}

/** The room is left: so is full screen. */
export function leaveFullScreen(): void {
  if (isFull()) void document.exitFullscreen().catch(() => undefined);
}
