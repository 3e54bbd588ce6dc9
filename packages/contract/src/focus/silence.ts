import { FORGIVEN_SILENCE_MS } from '../realtime.ts';
import type { FocusStatus } from './transitions.ts';

/**
 * Whether a silence counts as away from its beginning: during focus or a break, once it is too long to be
 * forgiven (design §5).
 */
export function isSilenceAway(status: FocusStatus, lastsMs: number): status is 'focus' | 'pause' {
  return lastsMs > FORGIVEN_SILENCE_MS && (status === 'focus' || status === 'pause');
}
