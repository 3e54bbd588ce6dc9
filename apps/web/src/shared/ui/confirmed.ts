import { translate } from '../i18n/texts.ts';
import { notify } from './notify.ts';

/**
 * Asks the learner before an act, with a button that cancels.
 * @param act the label of the button that confirms.
 * @returns whether the learner confirmed.
 */
export function confirmed(title: string, text: string, act: string): Promise<boolean> {
  const cancelLabel = translate('common.cancel');
  return notify.dialog({ title, text, confirmLabel: act, cancelLabel });
}
