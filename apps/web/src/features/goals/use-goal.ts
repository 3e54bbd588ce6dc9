import { type DatedGoal, getGoal, putGoal, type TodayGoal, type UserId } from '@mogakgong/contract';
import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { ApiError, call, type Loaded } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { onWake } from '../../shared/clock/index.ts';
import { translate } from '../../shared/i18n/texts.ts';
import { keptOfflineKeys } from '../../shared/lib/storage-keys.ts';
import { useConfirmedToday } from '../../shared/today/today.ts';

/** The learner's goal of today and its actions. */
export interface OwnGoal extends Loaded<DatedGoal> {
  readonly change: (change: Partial<TodayGoal>) => void;
}

queryClient.setQueryDefaults(['goal'], {
  // Answers and notices overtake each other: an older version is dropped.
  structuralSharing: (known, received) =>
    known !== undefined && (received as DatedGoal).version < (known as DatedGoal).version
      ? known
      : received,
});

/**
 * The drafts being saved, by learner and day, shared by all places that show them. One that could not be sent is
 * kept in this tab, over a reload, as a press of the timer is (decision 090).
 */
const useDrafts = create<Readonly<Record<string, DatedGoal | null>>>()(
  persist(() => ({}), {
    name: keptOfflineKeys.goal,
    storage: createJSONStorage(() => sessionStorage),
  }),
);

/** The drafts that are on their way, and those that wait for the server. */
const underWay = new Set<string>();
const SEND_AGAIN_MS = 10_000;

/** Stores the server's version of a learner's goal. */
export function takeGoal(userId: UserId, goal: DatedGoal): void {
  queryClient.setQueryData(['goal', userId, goal.day], goal);
}

/**
 * Today's goal while the caller is mounted. A change shows at once and is saved, one save at a time, the last
 * change at the end; a change that cannot be saved is reverted, one without an answer is sent again. Each day has
 * its own goal; there is none until the learner's day is known.
 */
export function useGoal(userId: UserId): OwnGoal {
  const day = useConfirmedToday(userId)?.day ?? null;
  const stored = useLoaded(['goal', userId, day], () => call(getGoal, {}), {
    enabled: day !== null,
    refetchOnWindowFocus: 'always',
  });
  const draftKey = `${userId} ${day}`;
  const draft = useDrafts((drafts) => drafts[draftKey] ?? null);
  const { change, saveAll } = useMemo(() => {
    const queryKey = ['goal', userId, day];
    const latest = () => useDrafts.getState()[draftKey] ?? null;
    // Those of other days are over.
    const edit = (goal: DatedGoal | null) => useDrafts.setState({ [draftKey]: goal }, true);
    const saveAll = async () => {
      if (underWay.has(draftKey) || latest() === null) return;
      underWay.add(draftKey);
      try {
        let saved: DatedGoal | null = null;
        while (saved !== latest()) {
          saved = latest();
          if (saved === null) return;
          const { version: _version, ...body } = saved;
          const options = { fallback: translate('goal.saveFailed') };
          takeGoal(userId, await call(putGoal, { body }, options));
        }
      } catch (error) {
        // Without an answer it stays, and is sent again.
        if (error instanceof ApiError && error.status === 0) return;
        notifyFailure(error);
        // The day may have ended meanwhile.
        void queryClient.invalidateQueries({ queryKey });
      } finally {
        underWay.delete(draftKey);
      }
      edit(null);
    };
    const change = (change: Partial<TodayGoal>) => {
      const goal = latest() ?? queryClient.getQueryData<DatedGoal>(queryKey);
      if (!goal) return;
      edit({ ...goal, ...change });
      void saveAll();
    };
    return { change, saveAll };
  }, [userId, day, draftKey]);
  const isWaiting = draft !== null;
  useEffect(() => {
    if (!isWaiting) return;
    void saveAll();
    const timer = setInterval(saveAll, SEND_AGAIN_MS);
    const stop = onWake(() => void saveAll());
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [isWaiting, saveAll]);
  return { ...stored, change, value: draft ?? stored.value };
}
