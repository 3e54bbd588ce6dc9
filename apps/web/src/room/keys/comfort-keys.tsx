import { useEffect, useEffectEvent } from 'react';
import {
  playAmbient,
  stopAmbient,
  toggleAmbient,
  useAmbient,
} from '../../features/ambient/ambient-player.ts';
import { useShortcuts } from '../../features/focus/shortcuts.tsx';
import { camera, isBlurWanted, setBlurWanted } from '../../features/media/camera.ts';
import { useSaveData } from '../../features/media/save-data.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { useCurrentRoom } from '../live/current-room.ts';
import { toggleMiniRoom } from '../mini-room/mini-room.tsx';

// The sound continues on other pages, and ends with the room; the setting stays.
useCurrentRoom.subscribe(({ live }) => {
  if (live === null) stopAmbient(useAmbient.getState().isWanted);
});

/** Data saving starts long before: if the processor is overloaded for this long, saving is not enough. */
const BUSY_MS = 120_000;

const floatRoom = () => void toggleMiniRoom();

/** Shortcuts of sound and blur in the room. */
export function ComfortKeys() {
  useShortcuts({ KeyS: toggleAmbient, KeyM: floatRoom });
  useAmbientOffer();
  useBlurOffer();
  return null;
}

/** After a reload browsers play nothing before a press: the sound that played is offered again. */
function useAmbientOffer(): void {
  const { t } = useTranslation(roomTexts);
  const offer = useEffectEvent(() => {
    const { isWanted, state } = useAmbient.getState();
    if (!isWanted || state === 'playing') return;
    const onPress = () => void playAmbient();
    notify.toast(t('ambient.goOn'), 'plain', { label: t('ambient.goOnAction'), onPress });
  });
  useEffect(offer, []);
}

/**
 * The blur loads the processor: on an overloaded machine the learner is offered to turn it off. It is never
 * turned off unasked.
 */
function useBlurOffer(): void {
  const { t } = useTranslation(roomTexts);
  const isBusy = useSaveData(({ need }) => need === 'cpu');
  const offer = useEffectEvent(() => {
    if (!isBlurWanted() || camera.store.getState().kind !== 'on') return;
    const onPress = () => setBlurWanted(false);
    notify.toast(t('blur.busy'), 'plain', { label: t('blur.end'), onPress });
  });
  useEffect(() => {
    if (!isBusy) return;
    const timer = setTimeout(() => offer(), BUSY_MS);
    return () => clearTimeout(timer);
  }, [isBusy]);
}
