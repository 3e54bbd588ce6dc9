import type { TodayGoal, UserId } from '@mogakgong/contract';
import { useEffect, useRef } from 'react';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { useTodaySeconds } from '../../shared/today/today.ts';
import { notify } from '../../shared/ui/notify.ts';
import { GoalRing } from './goal-ring.tsx';

interface OwnGoalRingProps {
  readonly userId: UserId;
  readonly goal: TodayGoal;
  /** Pixels of its square. */
  readonly size: number;
}

/** The learner's own ring; while it is shown, reaching the goal is announced once. */
export function OwnGoalRing({ userId, goal: { targetMinutes }, size }: OwnGoalRingProps) {
  const todaySeconds = useTodaySeconds(userId);
  useReachedNotice(targetMinutes, todaySeconds);
  if (targetMinutes === null) return null;
  return (
    <GoalRing targetMinutes={targetMinutes} focusMs={(todaySeconds ?? 0) * 1_000} size={size} />
  );
}

/** Not announced for a goal that was reached before, or that was lowered below the time already studied. */
function useReachedNotice(targetMinutes: number | null, todaySeconds: number | null): void {
  const { t } = useTranslation(roomTexts);
  const openTargetRef = useRef<number | null>(null);
  const isOpen =
    targetMinutes !== null && todaySeconds !== null && todaySeconds < targetMinutes * 60;
  useEffect(() => {
    const wasOpen = openTargetRef.current === targetMinutes;
    openTargetRef.current = isOpen ? targetMinutes : null;
    if (targetMinutes === null || isOpen || !wasOpen) return;
    const target = durationText(t, targetMinutes * 60_000);
    notify.toast(t('goal.reachedNow', { target }), 'good');
  }, [isOpen, targetMinutes, t]);
}
