import type { PomodoroSchedule, RoomId, UserId } from '@mogakgong/contract';
import { GoalSection } from '../../features/goals/goal-section.tsx';
import type { OwnGoal } from '../../features/goals/use-goal.ts';
import { PomodoroSection } from '../../features/pomodoro/pomodoro-section.tsx';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { SidePanel } from './side-panel.tsx';

interface DeskPanelProps {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly goal: OwnGoal;
  readonly pomodoro: PomodoroSchedule | null;
  readonly onClose: () => void;
}

/** What lies on one's own desk: today's goal, and the schedule of the room that one may follow. */
export function DeskPanel({ userId, roomId, goal, pomodoro, onClose }: DeskPanelProps) {
  const { t } = useTranslation();
  return (
    <SidePanel title={t('room.desk')} onClose={onClose}>
      <div className="grid gap-7 px-5 pt-1 pb-24">
        <GoalSection userId={userId} own={goal} />
        <hr className="border-line" />
        <PomodoroSection userId={userId} roomId={roomId} schedule={pomodoro} />
      </div>
    </SidePanel>
  );
}
