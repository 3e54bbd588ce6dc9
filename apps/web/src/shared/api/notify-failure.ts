import { notify } from '../ui/notify.ts';
import { messageOf } from './api-error.ts';

/** Shows a toast with the reason of a failure; `fallback` where the error is no answer of the API. */
export function notifyFailure(error: unknown, fallback?: string): void {
  notify.toast(messageOf(error, fallback), 'bad');
}
