import {
  type DatedGoal,
  type GoalPayload,
  getGoal,
  putGoal,
  type TodayGoal,
} from '@mogakgong/contract';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { ApiError, call } from '../../shared/api/index.ts';
import { onWake } from '../../shared/clock/index.ts';
import { translate } from '../../shared/i18n/texts.ts';
import { notify } from '../../shared/ui/notify.ts';
import { GoalKeeper, type GoalSnapshot } from './goal-keeper.ts';

/** The learner's goal of today, and how it is changed. */
export interface OwnGoal extends GoalSnapshot {
  readonly change: (change: Partial<TodayGoal>) => void;
  readonly reload: () => void;
  /** Takes what a notice says. */
  readonly take: (goal: DatedGoal) => void;
}

function save({ targetMinutes, tasks, isVisible, day }: GoalPayload): Promise<DatedGoal> {
  const fallback = translate('goal.saveFailed');
  return call(putGoal, { body: { targetMinutes, tasks, isVisible, day } }, { fallback });
}

function createKeeper(): GoalKeeper {
  const keeper = new GoalKeeper({
    load: () => call(getGoal, {}),
    save,
    onFailed: (error) => {
      notify.toast(error instanceof ApiError ? error.message : translate('call.unexpected'), 'bad');
      // The day may have ended meanwhile.
      void keeper.load();
    },
  });
  return keeper;
}

/**
 * Today's goal for as long as the caller is shown.
 * @param day the learner's day, null until it is known: another one, another goal.
 */
export function useGoal(day: string | null): OwnGoal {
  const [keeper] = useState(createKeeper);
  const snapshot = useSyncExternalStore(keeper.subscribe, keeper.getSnapshot);
  useEffect(() => {
    if (day === null) return;
    void keeper.load();
    return onWake(() => void keeper.load());
  }, [keeper, day]);
  const moves = useMemo(
    () => ({
      change: (change: Partial<TodayGoal>) => keeper.change(change),
      reload: () => void keeper.load(),
      take: (goal: DatedGoal) => keeper.take(goal),
    }),
    [keeper],
  );
  return useMemo(() => ({ ...snapshot, ...moves }), [snapshot, moves]);
}
