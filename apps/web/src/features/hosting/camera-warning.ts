import { currentLanguage } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { hostingTexts } from './hosting-texts.ts';

/** Says that the seat is given up soon, unless the camera is turned on or a break begins. */
export async function warnOfCamera(): Promise<void> {
  const texts = await hostingTexts(currentLanguage());
  void notify.dialog({ title: texts['camera.warning'], text: texts['camera.warningHelp'] });
}
