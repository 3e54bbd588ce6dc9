import * as z from 'zod/mini';

/**
 * Focus status of a learner (specification §4, design §5). It belongs to a visit, which runs from
 * entering a room to leaving it: `idle` until the first start, `ended` for good.
 */
export const FocusStatus = z.enum(['idle', 'focus', 'pause', 'away', 'ended']);
export type FocusStatus = z.infer<typeof FocusStatus>;

/** The learner's actions on the timer. */
export const timerMoves = ['start', 'pause', 'resume', 'away'] as const;
export type TimerMove = (typeof timerMoves)[number];
/** All causes of a change of status: an action on the timer, or leaving the room. */
export type FocusMove = TimerMove | 'leave';

interface Transition {
  readonly from: readonly FocusStatus[];
  readonly to: FocusStatus;
}

/** The one table of transitions (specification §4, design §5); `ended` is final. */
export const focusTransitions = {
  start: { from: ['idle'], to: 'focus' },
  pause: { from: ['focus'], to: 'pause' },
  resume: { from: ['pause', 'away'], to: 'focus' },
  away: { from: ['focus', 'pause'], to: 'away' },
  leave: { from: ['idle', 'focus', 'pause', 'away'], to: 'ended' },
} as const satisfies Record<FocusMove, Transition>;

/**
 * The status after a move, or null when it is not allowed. A repeated move leads to the same status as the
 * first, so a repeated call succeeds.
 */
export function statusAfter(status: FocusStatus, move: FocusMove): FocusStatus | null {
  const { from, to }: Transition = focusTransitions[move];
  return status === to || from.includes(status) ? to : null;
}

/**
 * The move of the button on one's own tile: start, pause or resume (specification §4); null once the
 * visit has ended.
 */
export function toggleMove(status: FocusStatus): TimerMove | null {
  switch (status) {
    case 'idle':
      return 'start';
    case 'focus':
      return 'pause';
    case 'pause':
    case 'away':
      return 'resume';
    case 'ended':
      return null;
  }
}
