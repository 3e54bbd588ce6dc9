import {
  awayTimer,
  type FocusClock,
  pauseTimer,
  type RoomId,
  resumeTimer,
  startTimer,
  type UserId,
} from '@mogakgong/contract';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { ApiError, call, detailedErrorText } from '../../shared/api/index.ts';
import { answerInTime } from '../../shared/clock/index.ts';
import { translate } from '../../shared/i18n/texts.ts';
import { expectClock, followOwnClock, loadToday } from '../../shared/today/index.ts';
import { notify } from '../../shared/ui/notify.ts';
import { OwnTimer, type OwnTimerSnapshot } from './own-timer.ts';

/** The call of each move (specification §7). */
const routes = { start: startTimer, pause: pauseTimer, resume: resumeTimer, away: awayTimer };

/** The timer of who looks, as tiles and controls need it. */
export interface OwnTimerView extends OwnTimerSnapshot {
  readonly toggle: () => void;
  readonly toggleAway: () => void;
}

/** The code of `userNotFound`, as the specification names it (§8). */
const USER_LOOKUP_FAILED = 'U001';

/** Says why a move failed (specification §8); a user lookup that failed is only logged. */
function tellFailure(error: unknown): void {
  if (error instanceof ApiError && error.code === USER_LOOKUP_FAILED) {
    // biome-ignore lint/suspicious/noConsole: specification §8 wants this one in the log and nowhere else
    console.warn(error.message);
    return;
  }
  notify.toast(detailedErrorText(error, translate('timer.failed')), 'bad');
}

function createTimer(userId: UserId, roomId: RoomId): OwnTimer {
  let endExpectation = () => {};
  return new OwnTimer({
    send: (move) => answerInTime(() => call(routes[move], { body: { userId, roomId } })),
    onExpected: (clock) => {
      endExpectation = expectClock(userId, clock);
    },
    onAnswered: (clock) => {
      followOwnClock(userId, clock);
      endExpectation();
    },
    onFailed: (error) => {
      endExpectation();
      void loadToday(userId);
      tellFailure(error);
    },
  });
}

/**
 * The learner's own timer in a room. `told` is their clock as presence has it, null while it is not
 * known; today's time follows every move.
 */
export function useOwnTimer(userId: UserId, roomId: RoomId, told: FocusClock | null): OwnTimerView {
  const [timer] = useState(() => {
    const created = createTimer(userId, roomId);
    const toggle = () => created.toggle();
    const toggleAway = () => created.toggleAway();
    return { created, toggle, toggleAway };
  });
  const { created, toggle, toggleAway } = timer;
  useEffect(() => {
    created.noteClock(told);
    if (told !== null) followOwnClock(userId, told);
  }, [created, told, userId]);
  const snapshot = useSyncExternalStore(created.subscribe, created.getSnapshot);
  return useMemo(() => ({ ...snapshot, toggle, toggleAway }), [snapshot, toggle, toggleAway]);
}
