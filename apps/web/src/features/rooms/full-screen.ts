import { useSyncExternalStore } from 'react';
import { optionsTexts } from '../../shared/i18n/options-texts.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';

/** False where the browser has no full screen, as on an iPhone. */
export const canFillScreen = () => document.fullscreenEnabled === true;

const isFull = () => Boolean(document.fullscreenElement);

function onChange(act: () => void): () => void {
  document.addEventListener('fullscreenchange', act);
  return () => document.removeEventListener('fullscreenchange', act);
}

/** The whole page fills the screen, so that dialogs and toasts are visible there too. */
export function useFullScreen() {
  const { t } = useTranslation(optionsTexts);
  const isOn = useSyncExternalStore(onChange, isFull);
  const toggle = async () => {
    if (!canFillScreen()) return;
    try {
      await (isFull() ? document.exitFullscreen() : document.documentElement.requestFullscreen());
    } catch {
      notify.toast(t('screen.fullFailed'), 'bad');
    }
  };
  return { isOn, toggle: () => void toggle() };
}

/** Ends full screen when the room is left. */
export function leaveFullScreen(): void {
  // The learner may have ended it at the same moment.
  if (isFull()) void document.exitFullscreen().catch(() => undefined);
}
