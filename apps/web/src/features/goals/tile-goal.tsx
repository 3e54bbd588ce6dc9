import { type TodayGoal, todayMs, type UserId, type VisibleGoal } from '@mogakgong/contract';
import { useEffect, useRef } from 'react';
import { useSecond } from '../../shared/clock/index.ts';
import { durationText } from '../../shared/i18n/duration-text.ts';
import { roomTexts } from '../../shared/i18n/namespaces.ts';

import { useTranslation } from '../../shared/i18n/texts.ts';
import { useTodaySeconds } from '../../shared/today/today.ts';
import { notify } from '../../shared/ui/notify.ts';
import { GoalRing } from './goal-ring.tsx';

const RING_PX = 26;
/** The ring moves in steps of this length: smaller ones are invisible. */
const STEP_MS = 30_000;

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

/** Another learner's visible ring; it advances with their clock. */
export function OthersGoalRing({ goal }: { readonly goal: VisibleGoal }) {
  const focusMs = useSecond((nowMs) => Math.floor(todayMs(goal, nowMs) / STEP_MS) * STEP_MS);
  if (goal.targetMinutes === null) return null;
  return <GoalRing targetMinutes={goal.targetMinutes} focusMs={focusMs} size={RING_PX} />;
}

/** Another learner's first open task, unless the goal is of an earlier day. */
export function OthersTask({ goal }: { readonly goal: VisibleGoal }) {
  const isToday = useSecond((nowMs) => nowMs < goal.dayEndsAtMs);
  const task = goal.tasks.find(({ isDone }) => !isDone);
  if (!isToday || task === undefined) return null;
  return <p className="tile-task truncate text-tiny">{task.text}</p>;
}
