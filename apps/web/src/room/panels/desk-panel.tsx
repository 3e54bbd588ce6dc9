import { useStore } from 'zustand';
import { SubjectSection } from '../../features/focus/subject-section.tsx';
import { GoalSection } from '../../features/goals/goal-section.tsx';
import { NextExam } from '../../features/goals/next-exam.tsx';
import type { OwnGoal } from '../../features/goals/use-goal.ts';
import { PomodoroSection } from '../../features/pomodoro/pomodoro-section.tsx';
import { useTranslation } from '../../shared/i18n/texts.ts';
import type { RoomLive } from '../live/room-live.ts';
import { SidePanel } from './side-panel.tsx';

interface DeskPanelProps {
  readonly live: Pick<RoomLive, 'userId' | 'roomId' | 'store'>;
  /** Shared with the ring in the bar, which shows the same draft. */
  readonly goal: OwnGoal;
  readonly onClose: () => void;
}

/** The learner's own desk: subject, today's goal, and the room's schedule to follow. */
export function DeskPanel({ live, goal, onClose }: DeskPanelProps) {
  const { t } = useTranslation();
  const { userId, roomId } = live;
  const schedule = useStore(live.store, (room) => room.pomodoro);
  const members = useStore(live.store, (room) => room.members);
  const hostId = useStore(live.store, (room) => room.about?.hostId ?? null);
  return (
    <SidePanel title={t('room.desk')} onClose={onClose}>
      <div className="grid gap-7 px-5 pt-1 pb-24">
        <SubjectSection userId={userId} />
        <hr className="border-line" />
        <GoalSection userId={userId} own={goal} />
        {goal.value && <NextExam goal={goal.value} />}
        <hr className="border-line" />
        <PomodoroSection {...{ userId, roomId, schedule, members, hostId }} />
      </div>
    </SidePanel>
  );
}
