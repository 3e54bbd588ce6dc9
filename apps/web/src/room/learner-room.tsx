import { Suspense, useEffect } from 'react';
import { useRoute } from 'wouter';
import { useStore } from 'zustand';
import { useOwnUserId } from '../features/auth/own-user-id.ts';
import { useSession } from '../features/auth/session.ts';
import { useUnsentWarning } from '../features/chat/use-unsent-warning.ts';
import { FocusSign } from '../features/focus/focus-clock.tsx';
import { useWakeLock } from '../features/media/use-wake-lock.ts';
import { useSanctionInForce } from '../features/sanctions/own-sanctions.ts';
import { studyRoomPath } from '../shared/lib/paths.ts';
import { onDemand } from '../shared/ui/on-demand.tsx';
import { SmallBar } from './bar/small-bar.tsx';
import { useCurrentRoom } from './live/current-room.ts';
import { resumeRoom, turnCamera } from './live/room-actions.ts';
import type { RoomLive } from './live/room-live.ts';

/** Downloaded with the first schedule. */
const PhaseSignal = onDemand(
  async () => (await import('../features/pomodoro/index.ts')).PhaseSignal,
  { isQuiet: true },
);

/** The room of a seated learner, on every page: resumed after a reload, with its ongoing parts. */
export function LearnerRoom() {
  const userId = useOwnUserId();
  const name = useSession((session) => session.user?.nickname ?? '');
  const live = useCurrentRoom((room) => room.live);
  useEffect(() => {
    if (userId !== null) void resumeRoom(userId, name);
  }, [userId, name]);
  return live && <OngoingRoom key={live.roomId} live={live} />;
}

/** Signals of the room's schedule, the clock in the tab's title, and the bar above other pages. */
function OngoingRoom({ live }: { readonly live: RoomLive }) {
  const { userId, roomId } = live;
  const [isRoomPage] = useRoute(studyRoomPath(roomId));
  const pomodoro = useStore(live.store, (room) => room.pomodoro);
  const isSeated = useStore(live.store, () => live.isSeated);
  useWakeLock(isSeated);
  useUnsentWarning(userId);
  const isCameraKeptOff = useSanctionInForce(userId, 'cameraOff') !== null;
  useEffect(() => {
    if (isCameraKeptOff) turnCamera(false);
  }, [isCameraKeptOff]);
  return (
    <>
      {isSeated && <FocusSign />}
      <Suspense>
        {pomodoro && <PhaseSignal userId={userId} roomId={roomId} schedule={pomodoro} />}
      </Suspense>
      <Suspense>{!isRoomPage && <SmallBar live={live} />}</Suspense>
    </>
  );
}
