import type { Member, PomodoroSchedule, RoomId, UserId } from '@mogakgong/contract';
import type { OwnTimerView } from '../../features/focus/index.ts';
import { SubjectSection } from '../../features/focus/subject-section.tsx';
import { GoalSection } from '../../features/goals/goal-section.tsx';
import type { OwnGoal } from '../../features/goals/use-goal.ts';
import { PomodoroSection } from '../../features/pomodoro/pomodoro-section.tsx';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { SidePanel } from './side-panel.tsx';

interface DeskPanelProps {
  readonly userId: UserId;
  readonly roomId: RoomId;
  readonly own: OwnTimerView;
  readonly goal: OwnGoal;
  readonly pomodoro: PomodoroSchedule | null;
  readonly members: readonly Member[] | null;
  /** Of the room; null where it has none. */
  readonly hostId: UserId | null;
  readonly onClose: () => void;
}

/** What lies on one's own desk: what is studied, today's goal, and the schedule of the room that one may follow. */
export function DeskPanel(props: DeskPanelProps) {
  const { userId, roomId, own, goal, pomodoro, members, hostId, onClose } = props;
  const { t } = useTranslation();
  return (
    <SidePanel title={t('room.desk')} onClose={onClose}>
      <div className="grid gap-7 px-5 pt-1 pb-24">
        <SubjectSection userId={userId} seat={own} />
        <hr className="border-line" />
        <GoalSection userId={userId} own={goal} />
        <hr className="border-line" />
        <PomodoroSection {...{ userId, roomId, members, hostId }} schedule={pomodoro} />
      </div>
    </SidePanel>
  );
}
