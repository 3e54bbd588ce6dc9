import { useStore } from 'zustand';
import type { useGoal } from '../../features/goals/use-goal.ts';
import type { RoomLive } from '../live/room-live.ts';
import { AboutPanel } from './about-panel.tsx';
import { DeskPanel } from './desk-panel.tsx';
import { LeaderboardPanel } from './leaderboard-panel.tsx';
import { OptionsPanel } from './options-panel.tsx';
import type { Panels } from './panels.tsx';
import { PeoplePanel } from './people-panel.tsx';

interface OpenPanelProps {
  readonly live: RoomLive;
  readonly panels: Panels;
  readonly goal: ReturnType<typeof useGoal>;
}

/** The open panel, unless it is the board. */
export function OpenPanel({ live, panels, goal }: OpenPanelProps) {
  const about = useStore(live.store, (room) => room.about);
  const { open, close } = panels;
  switch (open) {
    case 'people':
      return <PeoplePanel live={live} panels={panels} />;
    case 'leaderboard':
      return <LeaderboardPanel live={live} onClose={close} />;
    case 'about':
      return about && <AboutPanel live={live} about={about} onClose={close} />;
    case 'desk':
      return <DeskPanel live={live} goal={goal} onClose={close} />;
    case 'options':
      return <OptionsPanel onClose={close} />;
    default:
      return null;
  }
}
