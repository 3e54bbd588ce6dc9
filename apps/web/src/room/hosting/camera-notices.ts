import type { Notice } from '@mogakgong/contract';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { translationWith } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';

/** Announces what the room's camera rule is about to do, or has done. */
export async function announceCameraRule({
  step,
  isBlack,
}: Extract<Notice, { kind: 'cameraRule' }>): Promise<void> {
  const { t } = await translationWith(roomTexts);
  const cause = isBlack ? 'Black' : 'Off';
  if (step === 'warned') notify.toast(t(`camera.warned${cause}`));
  if (step === 'back') notify.toast(t('camera.back'), 'good');
  if (step === 'away') {
    // Stays until it is read: an absent learner may not be looking.
    void notify.dialog({
      title: t(`camera.away${cause}`),
      text: t(`camera.away${cause}Help`),
    });
  }
}
