import type { Notice } from '@mogakgong/contract';
import { currentLanguage } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { hostingTexts } from './hosting-texts.ts';

/** Says what the camera rule of the room is about to do, or has done. */
export async function announceCameraRule({
  step,
  isBlack,
}: Extract<Notice, { kind: 'cameraRule' }>): Promise<void> {
  const texts = await hostingTexts(currentLanguage());
  const cause = isBlack ? 'Black' : 'Off';
  if (step === 'warned') notify.toast(texts[`camera.warned${cause}`]);
  if (step === 'back') notify.toast(texts['camera.back'], 'good');
  if (step === 'away') {
    // Stays until it is read: who is away may not be looking.
    void notify.dialog({
      title: texts[`camera.away${cause}`],
      text: texts[`camera.away${cause}Help`],
    });
  }
}
