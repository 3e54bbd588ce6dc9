import { notify } from '../ui/notify.ts';
import { messageOf } from './api-error.ts';

/** Shows a line that says why something failed; `fallback` where what was thrown is no answer of the API. */
export function notifyFailure(error: unknown, fallback?: string): void {
  notify.toast(messageOf(error, fallback), 'bad');
}
