import { Suspense } from 'react';
import { useStore } from 'zustand';
import { leaderboardTexts } from '../../features/leaderboard/leaderboard-texts.ts';
import { RoomLeaderboard } from '../../features/leaderboard/room-leaderboard.tsx';
import type { RoomLive } from '../../room/room-live.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import { LearnerName } from './learner-name.tsx';
import { SidePanel } from './side-panel.tsx';

interface TodayPanelProps {
  readonly live: Pick<RoomLive, 'userId' | 'roomId' | 'store'>;
  readonly onClose: () => void;
}

/** Today of those in the room who want to be seen. */
export function TodayPanel({ live, onClose }: TodayPanelProps) {
  const { t } = useTranslation(leaderboardTexts);
  const { userId, roomId } = live;
  const members = useStore(live.store, (room) => room.members);
  return (
    <SidePanel title={t('title')} onClose={onClose}>
      <div className="px-5 pt-1 pb-24">
        <Suspense>
          <RoomLeaderboard
            {...{ userId, roomId, members }}
            renderName={(person) => (
              <LearnerName selfId={userId} userId={person.userId} name={person.nickname} />
            )}
          />
        </Suspense>
      </div>
    </SidePanel>
  );
}
