import { useEffect } from 'react';
import { useShortcuts } from '../../features/focus/shortcuts.tsx';
import { leaveFullScreen, toggleFullScreen } from '../../features/rooms/full-screen.ts';
import { toggleSelfView } from '../../features/rooms/room-view.ts';

const fillScreen = () => void toggleFullScreen();

/** The keys that change how the learner looks at the room. */
export function RoomKeys() {
  useShortcuts({ KeyF: fillScreen, KeyV: toggleSelfView });
  useEffect(() => leaveFullScreen, []);
  return null;
}
