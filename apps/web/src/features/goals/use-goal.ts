import { type DatedGoal, getGoal, putGoal, type TodayGoal, type UserId } from '@mogakgong/contract';
import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import { ApiError, call, isPassing, type Loaded } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { onWake } from '../../shared/clock/index.ts';
import { keptOfflineKeys } from '../../shared/lib/storage-keys.ts';
import { loadToday, useConfirmedToday } from '../../shared/today/today.ts';
import { carriedTo } from './ended-day.ts';

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
 * The drafts being saved, by learner, shared by all places that show them. One that could not be sent is kept in
 * this tab, over a reload and the end of the day, as a press of the timer is (decision 090).
 */
const useDrafts = create<Readonly<Record<UserId, DatedGoal>>>()(
  persist(() => ({}), {
    name: keptOfflineKeys.goal,
    storage: createJSONStorage(() => sessionStorage),
  }),
);

/** The drafts that are on their way, and those that wait for the server. */
const underWay = new Set<UserId>();
const SEND_AGAIN_MS = 10_000;

/** Stores the server's version of a learner's goal. */
export function takeGoal(userId: UserId, goal: DatedGoal): void {
  queryClient.setQueryData(['goal', userId, goal.day], goal);
}

/** Saves a goal; once its day has ended, the parts of it that are not bound to a day. */
async function save(userId: UserId, { version: _version, ...body }: DatedGoal): Promise<DatedGoal> {
  try {
    return await call(putGoal, { body });
  } catch (error) {
    if (!(error instanceof ApiError && error.errorName === 'goalDayEnded')) throw error;
    notifyFailure(error);
    void loadToday(userId);
    return save(userId, carriedTo(await call(getGoal, {}), body));
  }
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
  const draft = useDrafts((drafts) => drafts[userId] ?? null);
  const { change, saveAll } = useMemo(() => {
    const queryKey = ['goal', userId, day];
    const latest = () => useDrafts.getState()[userId] ?? null;
    const edit = (goal: DatedGoal | null) =>
      useDrafts.setState(goal ? { [userId]: goal } : {}, true);
    const saveAll = async () => {
      if (underWay.has(userId) || latest() === null) return;
      underWay.add(userId);
      try {
        let saved: DatedGoal | null = null;
        while (saved !== latest()) {
          saved = latest();
          if (saved === null) return;
          takeGoal(userId, await save(userId, saved));
        }
      } catch (error) {
        // It stays, and is sent again.
        if (isPassing(error)) return;
        notifyFailure(error);
      } finally {
        underWay.delete(userId);
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
  }, [userId, day]);
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
  return { ...stored, change, value: day === null ? null : (draft ?? stored.value) };
}
