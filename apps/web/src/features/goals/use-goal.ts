import { type DatedGoal, getGoal, putGoal, type TodayGoal, type UserId } from '@mogakgong/contract';
import { useMemo } from 'react';
import { create } from 'zustand';
import { call, type Loaded } from '../../shared/api/index.ts';
import { notifyFailure } from '../../shared/api/notify-failure.ts';
import { queryClient } from '../../shared/api/query.ts';
import { useLoaded } from '../../shared/api/use-loaded.ts';
import { translate } from '../../shared/i18n/texts.ts';
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

/** The drafts being saved, by learner and day, shared by all places that show them. */
const useDrafts = create<Readonly<Record<string, DatedGoal | null>>>()(() => ({}));

/** Stores the server's version of a learner's goal. */
export function takeGoal(userId: UserId, goal: DatedGoal): void {
  queryClient.setQueryData(['goal', userId, goal.day], goal);
}

/**
 * Today's goal while the caller is mounted. A change shows at once and is saved, one save at a time, the last
 * change at the end; a change that cannot be saved is reverted. Each day has its own goal; there is none
 * until the learner's day is known.
 */
export function useGoal(userId: UserId): OwnGoal {
  const day = useConfirmedToday(userId)?.day ?? null;
  const stored = useLoaded(['goal', userId, day], () => call(getGoal, {}), {
    enabled: day !== null,
    refetchOnWindowFocus: 'always',
  });
  const draftKey = `${userId} ${day}`;
  const draft = useDrafts((drafts) => drafts[draftKey] ?? null);
  const change = useMemo(() => {
    const queryKey = ['goal', userId, day];
    const latest = () => useDrafts.getState()[draftKey] ?? null;
    const edit = (goal: DatedGoal | null) => useDrafts.setState({ [draftKey]: goal });
    const saveAll = async () => {
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
        notifyFailure(error);
        // The day may have ended meanwhile.
        void queryClient.invalidateQueries({ queryKey });
      }
      edit(null);
    };
    return (change: Partial<TodayGoal>) => {
      const draft = latest();
      const goal = draft ?? queryClient.getQueryData<DatedGoal>(queryKey);
      if (!goal) return;
      edit({ ...goal, ...change });
      if (draft === null) void saveAll();
    };
  }, [userId, day, draftKey]);
  return { ...stored, change, value: draft ?? stored.value };
}
