import { Suspense, useEffect } from 'react';
import { useRoute } from 'wouter';
import { useStore } from 'zustand';
import { useOwnUserId } from '../features/auth/own-user-id.ts';
import { useSession } from '../features/auth/session.ts';
import { useUnsentWarning } from '../features/chat/index.ts';
import { FocusSign } from '../features/focus/index.ts';
import { useWakeLock } from '../features/media/index.ts';
import { useStanding } from '../features/sanctions/own-sanctions.ts';
import { type TextKey, useTranslation } from '../shared/i18n/texts.ts';
import { studyRoomPath } from '../shared/lib/paths.ts';
import { Button, LinkButton } from '../shared/ui/button.tsx';
import { onDemand } from '../shared/ui/on-demand.tsx';
import { useCurrentRoom } from './current-room.ts';
import { leaveRoomOrSay, resumeRoom, turnCamera } from './room-actions.ts';
import type { RoomLive } from './room-live.ts';

/** Downloaded where the room has a schedule. */
const PhaseSignal = onDemand(
  async () => (await import('../features/pomodoro/index.ts')).PhaseSignal,
  { isQuiet: true },
);

/** The room of who sits in one, on every page: resumed after a reload, and what goes on of it. */
export function LearnerRoom() {
  const userId = useOwnUserId();
  const name = useSession((session) => session.user?.nickname ?? '');
  const live = useCurrentRoom((room) => room.live);
  useEffect(() => {
    if (userId !== null) resumeRoom(userId, name).catch(() => undefined);
  }, [userId, name]);
  return live && <OngoingRoom key={live.roomId} live={live} />;
}

/** Signals of the room's schedule, the clock in the tab's title, and on other pages the way back. */
function OngoingRoom({ live }: { readonly live: RoomLive }) {
  const { userId, roomId } = live;
  const [isRoomPage] = useRoute(studyRoomPath(roomId));
  const pomodoro = useStore(live.store, (room) => room.pomodoro);
  const clock = useStore(
    live.store,
    ({ members }) => members?.find((member) => member.userId === userId)?.clock,
  );
  const isSeated = useStore(live.store, () => live.isSeated);
  useWakeLock(isSeated);
  useUnsentWarning(userId);
  const isCameraKeptOff = useStanding(userId, 'cameraOff') !== null;
  useEffect(() => {
    if (isCameraKeptOff) turnCamera(false);
  }, [isCameraKeptOff]);
  return (
    <>
      {clock && <FocusSign clock={clock} />}
      <Suspense>
        {pomodoro && <PhaseSignal userId={userId} roomId={roomId} schedule={pomodoro} />}
      </Suspense>
      {!isRoomPage && <WayBack live={live} />}
    </>
  );
}

/** On other pages: which room one sits in, and the ways back and out. */
function WayBack({ live }: { readonly live: RoomLive }) {
  const { t } = useTranslation();
  const state = useStore(live.store, ({ media }) => media.state.kind);
  const stopped: Partial<Record<typeof state, TextKey>> = {
    refused: 'room.removed',
    replaced: 'room.replaced',
    removed: 'room.removed',
  };
  const text = stopped[state];
  return (
    <section
      aria-label={t('room.title', { number: live.roomId })}
      className="sticky top-16 z-20 border-line border-b bg-lamp-wash"
    >
      <div className="mx-auto flex w-full max-w-[84rem] items-center gap-2 px-4 py-1.5 sm:px-6">
        <p role="status" className="mr-auto min-w-0 font-semibold text-small">
          {text ? t(text) : t('room.youAreIn', { number: live.roomId })}
        </p>
        <LinkButton size="small" variant="primary" href={studyRoomPath(live.roomId)}>
          {t('room.back')}
        </LinkButton>
        <Button size="small" variant="quiet" onClick={() => leaveRoomOrSay()}>
          {t('room.leave')}
        </Button>
      </div>
    </section>
  );
}
