import { translate } from '../i18n/texts.ts';
import { notify } from './notify.ts';

/**
 * Copies a text to the clipboard and announces it; pages without https have to copy a selection.
 * @returns whether that worked, for dialogs, which cover the announcement.
 */
export async function copyText(text: string): Promise<boolean> {
  const written = navigator.clipboard?.writeText(text);
  const isCopied = (await written?.then(() => true).catch(() => false)) || copyBySelection(text);
  notify.toast(
    translate(isCopied ? 'common.copied' : 'common.copyFailed'),
    isCopied ? 'good' : 'bad',
  );
  return isCopied;
}

/** Returns whether that worked. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'sr-only';
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
