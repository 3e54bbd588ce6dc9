import { useStore } from 'zustand';
import { LeaderboardView } from '../../features/leaderboard/leaderboard-view.tsx';
import { useRoomLeaderboard } from '../../features/leaderboard/use-leaderboard.ts';
import { studyTexts } from '../../shared/i18n/namespaces.ts';
import { useTranslation } from '../../shared/i18n/texts.ts';
import type { RoomLive } from '../live/room-live.ts';
import { LearnerName } from '../tiles/learner-name.tsx';
import { SidePanel } from './side-panel.tsx';

interface LeaderboardPanelProps {
  readonly live: Pick<RoomLive, 'userId' | 'roomId' | 'store'>;
  readonly onClose: () => void;
}

/** Today's leaderboard of the room: members on it by choice. */
export function LeaderboardPanel({ live, onClose }: LeaderboardPanelProps) {
  const { t } = useTranslation(studyTexts);
  const { userId, roomId } = live;
  const members = useStore(live.store, (room) => room.members);
  const leaderboard = useRoomLeaderboard(userId, roomId, members);
  return (
    <SidePanel title={t('leaderboard.title')} onClose={onClose}>
      <div className="px-5 pt-1 pb-24">
        <LeaderboardView
          userId={userId}
          leaderboard={leaderboard}
          renderName={(person) => (
            <LearnerName selfId={userId} userId={person.userId} name={person.nickname} />
          )}
        />
      </div>
    </SidePanel>
  );
}
