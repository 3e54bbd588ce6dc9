import type { FocusStatus } from '@mogakgong/contract';
import type { LampLight } from './lamp.tsx';

/** How a learner's lamp burns: bright while they focus, low in a break, else not (design §7). */
export function lightOf(status: FocusStatus | undefined): LampLight {
  if (status === 'focus') return 'burning';
  return status === 'pause' ? 'low' : 'off';
}
